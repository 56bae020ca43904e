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
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class EventLoopsTest {

  private static final int WRITTEN = 16 << 20;
  private static final int PIECE = 16 << 10;

  /** The client's system reports unread bytes by the window that it advertises. */
  @Test
  void bytes_that_a_client_has_received_and_not_read_are_known() throws Exception {
    assumeTrue(Epoll.isAvailable());
    withClient(
        (channel, client) -> {
          ReceiverBacklog backlog = ReceiverBacklog.of(channel);
          assertThat(on(channel, backlog::bytes)).isZero();
          write(channel, 1 << 20);
          Awaitility.await().until(() -> on(channel, backlog::bytes) > 1 << 15);
          client.getInputStream().readNBytes(1 << 20);
          // The next packet from the client carries the window.
          client.getOutputStream().write(0);
          Awaitility.await().until(() -> on(channel, backlog::bytes) == 0);
          write(channel, 1 << 20);
          Awaitility.await().until(() -> on(channel, backlog::bytes) > 1 << 15);
          on(channel, () -> forget(backlog));
          assertThat(on(channel, backlog::bytes)).isZero();
        });
  }

  private static long forget(ReceiverBacklog backlog) {
    backlog.forget();
    return 0;
  }

  private static long on(Channel channel, Callable<Long> task) throws Exception {
    return channel.eventLoop().submit(task).get(10, TimeUnit.SECONDS);
  }

  /** Returns the bytes left in the channel. */
  private static long write(Channel channel, int bytes) throws Exception {
    return on(
        channel,
        () -> {
          for (int written = 0; written < bytes; written += PIECE) {
            channel.write(Unpooled.directBuffer(PIECE).writeZero(PIECE));
          }
          channel.flush();
          return channel.unsafe().outboundBuffer().totalPendingWriteBytes();
        });
  }

  /** Bytes that a client does not read stay in the proxy, where others can overtake them. */
  @Test
  void the_system_buffers_little_for_a_client_that_does_not_read() throws Exception {
    assumeTrue(Epoll.isAvailable());
    withClient(
        (channel, client) -> {
          long kept = write(channel, WRITTEN);
          assertThat(client.isConnected()).isTrue();
          // The difference is the client's own receive buffer.
          assertThat(WRITTEN - kept).isBetween(1L, 2L << 20);
        });
  }

  private interface Play {
    void play(Channel channel, Socket client) throws Exception;
  }

  private static void withClient(Play play) throws Exception {
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
        play.play(channel, client);
        channel.close().sync();
      }
      server.close().sync();
    }
  }
}
