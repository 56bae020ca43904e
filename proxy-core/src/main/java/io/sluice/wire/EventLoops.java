package io.sluice.wire;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
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
import io.netty.util.collection.LongObjectHashMap;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.internal.PlatformDependent;
import io.sluice.time.EqualDelays;
import io.sluice.time.Lane;
import io.sluice.time.NanoClock;
import io.sluice.time.SystemTime;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The threads on which frames travel, one lane each. A client's connection and the links its
 * requests use belong to one lane, so that a request that does not wait never changes threads.
 */
public final class EventLoops implements AutoCloseable {

  private static final long UNSENT_BYTES = 64 * 1024;
  private static final WriteBufferWaterMark CLIENT_WATER_MARK =
      new WriteBufferWaterMark(64 << 10, 256 << 10);
  private static final int MIN_READ_BYTES = 2 * 1024;
  private static final int FIRST_READ_BYTES = 16 * 1024;
  private static final int MAX_READ_BYTES = 512 * 1024;

  /** One allocator for all connections, so that its metrics are those of all buffers. */
  private static final ByteBufAllocator BUFFERS = PooledByteBufAllocator.DEFAULT;

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

  /**
   * What listens for clients. The system is told to hold little of what a client has not read: what
   * waits there, up to 4 MB, cannot be overtaken any more. Where it is not Linux, it goes on so.
   */
  public ServerBootstrap forClients() {
    return forClients(epoll ? EpollServerSocketChannel::new : NioServerSocketChannel::new);
  }

  /**
   * The same on a socket that listens already.
   *
   * @param socket its descriptor; only where {@link #passesSockets}
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
            .childOption(ChannelOption.ALLOCATOR, BUFFERS)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, CLIENT_WATER_MARK);
    if (epoll) {
      bootstrap.childOption(EpollChannelOption.TCP_NOTSENT_LOWAT, UNSENT_BYTES);
    }
    return bootstrap;
  }

  /**
   * What connects to nodes, on one of {@link #lane}'s lanes. Reads grow as large as answers are:
   * one that is read whole is passed on where it lies.
   */
  public Bootstrap forNodes(Lane lane) {
    return new Bootstrap()
        .group(((EventLoopLane) lane).loop)
        .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
        .option(ChannelOption.ALLOCATOR, BUFFERS)
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

  /** What connects to a socket file, and is passed sockets there; see {@link #passesSockets}. */
  public Bootstrap forLocalSocket() {
    return new Bootstrap()
        .group(group)
        .channel(EpollDomainSocketChannel.class)
        .option(EpollChannelOption.DOMAIN_SOCKET_READ_MODE, DomainSocketReadMode.FILE_DESCRIPTORS);
  }

  /** What listens on a socket file; see {@link #passesSockets}. */
  public ServerBootstrap forLocalClients() {
    return new ServerBootstrap().group(group).channel(EpollServerDomainSocketChannel.class);
  }

  /** What buffers outside the heap may take together in this JVM, in bytes. */
  public static long maxDirectMemory() {
    return PlatformDependent.maxDirectMemory();
  }

  /** One of the lanes. */
  public Lane anyLane() {
    return lane(group.next());
  }

  /** The lane of {@code loop}: always the same object. */
  public Lane lane(EventLoop loop) {
    return lanes.computeIfAbsent(loop, EventLoopLane::new);
  }

  /** Ends the threads; does not wait. */
  @Override
  public void close() {
    group.shutdownGracefully(0, 2, TimeUnit.SECONDS);
  }

  private static final class EventLoopLane implements Lane {

    /** Lengths of deadlines that are remembered: what the nodes are configured to, by kind. */
    private static final int LENGTHS = 32;

    private static final NanoClock CLOCK = new SystemTime();

    private final EventLoop loop;
    private final LongObjectHashMap<EqualDelays> deadlines = new LongObjectHashMap<>();

    EventLoopLane(EventLoop loop) {
      this.loop = loop;
    }

    @Override
    public Timeout deadline(long delayNanos, Runnable task) {
      EqualDelays equal = deadlines.get(delayNanos);
      if (equal == null) {
        if (deadlines.size() == LENGTHS) {
          return schedule(delayNanos, task);
        }
        equal = new EqualDelays(delayNanos, CLOCK, this);
        deadlines.put(delayNanos, equal);
      }
      return equal.add(task);
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
