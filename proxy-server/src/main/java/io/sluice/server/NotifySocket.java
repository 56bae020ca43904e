package io.sluice.server;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The datagram socket of systemd, see sd_notify(3). The sender is this process itself, because
 * systemd before 246 drops a message whose sender has ended when it reads it. Netty's epoll is
 * used, because the JDK has no datagram sockets in the file system.
 */
final class NotifySocket implements ServiceNotifier.Sender {

  private static final long TIMEOUT_SECONDS = 5;

  private final String name;

  /**
   * Creates a sender. It opens no socket until there is a message.
   *
   * @param name a path, or an abstract name that begins with @
   */
  NotifySocket(String name) {
    this.name = name;
  }

  /** Whether this JVM has epoll. */
  static boolean isAvailable() {
    return Epoll.isAvailable();
  }

  private DomainSocketAddress address() {
    return new DomainSocketAddress(name.startsWith("@") ? '\0' + name.substring(1) : name);
  }

  @Override
  public void send(List<String> assignments) throws IOException {
    EventLoopGroup thread =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("notify", true), EpollIoHandler.newFactory());
    try {
      ChannelFuture connected =
          new Bootstrap()
              .group(thread)
              .channel(EpollDomainDatagramChannel.class)
              .handler(new ChannelInboundHandlerAdapter())
              .connect(address());
      await(connected);
      String message = String.join("\n", assignments);
      await(
          connected
              .channel()
              .writeAndFlush(Unpooled.copiedBuffer(message, StandardCharsets.UTF_8)));
    } finally {
      thread.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
  }

  private void await(ChannelFuture step) throws IOException {
    if (!step.awaitUninterruptibly(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException(name + " was busy for " + TIMEOUT_SECONDS + " s");
    }
    if (!step.isSuccess()) {
      throw new IOException(name + ": " + step.cause(), step.cause());
    }
  }
}
