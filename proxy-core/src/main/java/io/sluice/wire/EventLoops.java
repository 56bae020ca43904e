package io.sluice.wire;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.DomainSocketReadMode;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.internal.PlatformDependent;
import io.sluice.time.DelayQueues;
import io.sluice.time.Guarded;
import io.sluice.time.Lane;
import io.sluice.time.NanoClock;
import io.sluice.time.SystemTime;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The I/O threads, each with one event loop and one lane. A client's connection and the links of
 * its requests belong to one lane, so a request that does not wait never changes threads. Safe for
 * any thread.
 */
public final class EventLoops implements AutoCloseable {

  private static final long UNSENT_BYTES = 64 * 1024;
  private static final WriteBufferWaterMark CLIENT_WATER_MARK =
      new WriteBufferWaterMark(64 << 10, 256 << 10);
  private static final int MIN_READ_BYTES = 2 * 1024;
  private static final int FIRST_READ_BYTES = 16 * 1024;
  private static final int MAX_READ_BYTES = 512 * 1024;

  private final EventLoopGroup group;
  private final boolean epoll = Epoll.isAvailable();
  private final ConcurrentHashMap<EventLoop, Lane> lanes = new ConcurrentHashMap<>();

  /**
   * Starts the threads.
   *
   * @param threads the number of threads, at least 1
   */
  public EventLoops(int threads) {
    IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    this.group =
        new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory("sluice-io", true), io);
  }

  /**
   * Returns a bootstrap that listens for clients. On Linux the socket buffers few unsent bytes, as
   * responses in that buffer, up to 4 MB, cannot be overtaken. Other systems keep their default.
   */
  public ServerBootstrap forClients() {
    return forClients(epoll ? EpollServerSocketChannel::new : NioServerSocketChannel::new);
  }

  /**
   * Returns a bootstrap on an existing listening socket.
   *
   * @param socket the socket's descriptor; only where {@link #passesSockets}
   */
  public ServerBootstrap forClients(int socket) {
    return forClients(() -> new EpollServerSocketChannel(socket));
  }

  private ServerBootstrap forClients(ChannelFactory<? extends ServerChannel> listening) {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(group)
            .channelFactory(listening)
            .option(ChannelOption.SO_BACKLOG, 1024)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.ALLOCATOR, Buffers.POOL)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, CLIENT_WATER_MARK);
    if (epoll) {
      bootstrap.childOption(EpollChannelOption.TCP_NOTSENT_LOWAT, UNSENT_BYTES);
    }
    return bootstrap;
  }

  /**
   * Returns a bootstrap that connects to nodes, on one of {@link #lane}'s lanes. Read buffers grow
   * with the responses, because a response that arrives in one read is forwarded without a copy.
   */
  public Bootstrap forNodes(Lane lane) {
    return new Bootstrap()
        .group(((EventLoopLane) lane).loop)
        .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
        .option(ChannelOption.ALLOCATOR, Buffers.POOL)
        .option(
            ChannelOption.RECVBUF_ALLOCATOR,
            new AdaptiveRecvByteBufAllocator(MIN_READ_BYTES, FIRST_READ_BYTES, MAX_READ_BYTES))
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.SO_KEEPALIVE, true);
  }

  /** Whether sockets can be passed to another process. */
  public boolean passesSockets() {
    return epoll;
  }

  /**
   * Returns a bootstrap that connects to a socket file and receives sockets there; see {@link
   * #passesSockets}.
   */
  public Bootstrap forLocalSocket() {
    return new Bootstrap()
        .group(group)
        .channel(EpollDomainSocketChannel.class)
        .option(EpollChannelOption.DOMAIN_SOCKET_READ_MODE, DomainSocketReadMode.FILE_DESCRIPTORS);
  }

  /** Returns a bootstrap that listens on a socket file; see {@link #passesSockets}. */
  public ServerBootstrap forLocalClients() {
    return new ServerBootstrap().group(group).channel(EpollServerDomainSocketChannel.class);
  }

  /** Returns the limit for buffers outside the heap in this JVM, in bytes. */
  public static long maxDirectMemory() {
    return PlatformDependent.maxDirectMemory();
  }

  /** Returns the bytes of {@link #maxDirectMemory} that {@link Buffers} has not taken. */
  public static long freeDirectMemory() {
    return maxDirectMemory() - Buffers.POOL.takenBytes();
  }

  /** Returns one of the lanes. */
  public Lane anyLane() {
    return lane(group.next());
  }

  /** Returns the lane of {@code loop}, always the same object. */
  public Lane lane(EventLoop loop) {
    return lanes.computeIfAbsent(loop, EventLoopLane::new);
  }

  /** Shuts the threads down without waiting. */
  @Override
  public void close() {
    group.shutdownGracefully(0, 2, TimeUnit.SECONDS);
  }

  private static final class EventLoopLane implements Lane {

    private static final NanoClock CLOCK = new SystemTime();

    private final EventLoop loop;
    private final DelayQueues deadlines = new DelayQueues(CLOCK, this);

    EventLoopLane(EventLoop loop) {
      this.loop = loop;
    }

    @Override
    public Timeout deadline(long delayNanos, Runnable task) {
      return deadlines.add(delayNanos, task);
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
      // The event loop would keep the task's exception in the future, unseen.
      Runnable guarded = Guarded.delayed(task);
      Future<?> scheduled = loop.schedule(guarded, delayNanos, TimeUnit.NANOSECONDS);
      return () -> scheduled.cancel(false);
    }
  }
}
