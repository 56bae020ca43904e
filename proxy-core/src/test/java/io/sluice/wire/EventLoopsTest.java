package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.epoll.Epoll;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EventLoopsTest {

  private static final int WRITTEN = 16 << 20;
  private static final int PIECE = 16 << 10;

  /** What a client does not read stays where it can still be overtaken. */
  @Test
  void the_system_takes_little_of_what_a_client_does_not_read() throws Exception {
    assumeTrue(Epoll.isAvailable());
    try (EventLoops loops = new EventLoops(1)) {
      CompletableFuture<Channel> accepted = new CompletableFuture<>();
      ServerBootstrap bootstrap =
          loops
              .forClients()
              .childHandler(
                  new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                      channel.pipeline().addLast(new ChannelInboundHandlerAdapter());
                      accepted.complete(channel);
                    }
                  });
      Channel server = bootstrap.bind("127.0.0.1", 0).sync().channel();
      InetSocketAddress address = (InetSocketAddress) server.localAddress();
      try (Socket client = new Socket(address.getAddress(), address.getPort())) {
        Channel channel = accepted.get(10, TimeUnit.SECONDS);

        long kept =
            channel
                .eventLoop()
                .submit(
                    () -> {
                      for (int written = 0; written < WRITTEN; written += PIECE) {
                        channel.write(Unpooled.directBuffer(PIECE).writeZero(PIECE));
                      }
                      channel.flush();
                      return channel.unsafe().outboundBuffer().totalPendingWriteBytes();
                    })
                .get(10, TimeUnit.SECONDS);

        assertThat(client.isConnected()).isTrue();
        // What remains is the client's own receive buffer.
        assertThat(WRITTEN - kept).isBetween(1L, 2L << 20);
        channel.close().sync();
      }
      server.close().sync();
    }
  }
}
