package io.sluice.wire;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A connection between a socket and a listener of {@link EventLoops}. */
public final class AcceptedClient {

  private static final int PIECE = 16 << 10;

  /** Fixed, because a buffer that grows while bytes arrive hides them in a wider window. */
  private static final int RECEIVE_BUFFER = 256 << 10;

  private AcceptedClient() {}

  /** Runs a task on the event loop of the channel. */
  public static long on(Channel channel, Callable<Long> task) throws Exception {
    return channel.eventLoop().submit(task).get(10, TimeUnit.SECONDS);
  }

  /** Writes this number of bytes, and returns the bytes left in the channel. */
  public static long write(Channel channel, int bytes) throws Exception {
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

  /** A test with a connection. */
  public interface Play {
    void play(Channel channel, Socket client) throws Exception;
  }

  /** Runs a test with a new connection: the channel of the proxy, and the socket of the client. */
  public static void with(Play play) throws Exception {
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
      try (Socket client = new Socket()) {
        client.setReceiveBufferSize(RECEIVE_BUFFER);
        client.connect(address);
        Channel channel = accepted.get(10, TimeUnit.SECONDS);
        play.play(channel, client);
        channel.close().sync();
      }
      server.close().sync();
    }
  }
}
