package io.sluice.wire;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.sluice.time.Lane;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The threads on which frames travel, one lane each. A client's connection and the links its
 * requests use belong to one lane, so that a request that does not wait never changes threads.
 */
public final class EventLoops implements AutoCloseable {

  private static final long UNSENT_BYTES = 64 * 1024;

  private final EventLoopGroup group;
  private final boolean epoll = Epoll.isAvailable();
  private final ConcurrentHashMap<EventLoop, Lane> lanes = new ConcurrentHashMap<>();

  /**
   * Starts {@code threads} threads.
   *
   * @param threads at least 1
   */
  public EventLoops(int threads) {
    IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    this.group =
        new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory("sluice-io", true), io);
  }

  public EventLoopGroup group() {
    return group;
  }

  public Class<? extends ServerChannel> serverChannel() {
    return epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }

  public Class<? extends Channel> channel() {
    return epoll ? EpollSocketChannel.class : NioSocketChannel.class;
  }

  /**
   * Has the system hold little of what a connection could not send yet. What waits there, up to 4
   * MB, cannot be overtaken any more; where the system is not Linux, it goes on doing so.
   */
  public void holdLittleUnsent(ServerBootstrap bootstrap) {
    if (epoll) {
      bootstrap.childOption(EpollChannelOption.TCP_NOTSENT_LOWAT, UNSENT_BYTES);
    }
  }

  /** The lane of {@code loop}: always the same object. */
  public Lane lane(EventLoop loop) {
    return lanes.computeIfAbsent(loop, EventLoopLane::new);
  }

  /** The event loop behind one of {@link #lane}'s lanes. */
  public static EventLoop loopOf(Lane lane) {
    return ((EventLoopLane) lane).loop;
  }

  /** Ends the threads; does not wait. */
  @Override
  public void close() {
    group.shutdownGracefully(0, 2, TimeUnit.SECONDS);
  }

  private static final class EventLoopLane implements Lane {

    private final EventLoop loop;

    EventLoopLane(EventLoop loop) {
      this.loop = loop;
    }

    @Override
    public boolean isCurrent() {
      return loop.inEventLoop();
    }

    @Override
    public void execute(Runnable task) {
      loop.execute(task);
    }

    @Override
    public Timeout schedule(long delayNanos, Runnable task) {
      Future<?> scheduled = loop.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
      return () -> scheduled.cancel(false);
    }
  }
}
