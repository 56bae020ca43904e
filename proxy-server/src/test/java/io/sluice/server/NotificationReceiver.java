package io.sluice.server;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainDatagramPacket;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A datagram socket in place of systemd's. Linux only. */
final class NotificationReceiver implements AutoCloseable {

  private final EventLoopGroup thread =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
  private final Channel socket;

  /** Binds the socket to a path, or to an abstract name that begins with a zero byte. */
  NotificationReceiver(String name) {
    socket =
        new Bootstrap()
            .group(thread)
            .channel(EpollDomainDatagramChannel.class)
            .handler(
                new SimpleChannelInboundHandler<DomainDatagramPacket>() {
                  @Override
                  protected void channelRead0(
                      ChannelHandlerContext ctx, DomainDatagramPacket datagram) {
                    received.add(datagram.content().toString(StandardCharsets.UTF_8));
                  }
                })
            .bind(new DomainSocketAddress(name))
            .syncUninterruptibly()
            .channel();
  }

  /** Waits for the next message. */
  String next() throws InterruptedException {
    String message = received.poll(60, TimeUnit.SECONDS);
    if (message == null) {
      throw new AssertionError("no message");
    }
    return message;
  }

  @Override
  public void close() {
    socket.close().syncUninterruptibly();
    thread.shutdownGracefully(0, 0, TimeUnit.SECONDS);
  }
}
