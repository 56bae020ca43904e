package io.sluice.accept;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.UnixChannel;
import io.sluice.wire.EventLoops;
import io.sluice.wire.NativeLibraries;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hand-over of the CQL port to the next process on the same host. The old process passes its
 * listening socket through a socket file. Connections in the backlog stay there whichever process
 * accepts, so none is lost. The old process goes on until the new one serves. If it ends before,
 * the new one accepts at once. Safe for any thread.
 */
final class Handover implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Handover.class);

  /** A process that does not pass its socket within this time hangs. */
  private static final long PATIENCE_SECONDS = 5;

  private static final int NONE = -1;

  private final EventLoops loops;
  private final Path path;
  private final AtomicBoolean published = new AtomicBoolean();
  private volatile @Nullable Channel offer;
  private volatile boolean closed;

  /**
   * Creates a hand-over that asks no process yet.
   *
   * @param path the socket file
   */
  Handover(EventLoops loops, Path path) {
    this.loops = loops;
    this.path = path;
  }

  /** A listening socket that another process has passed and still uses. */
  static final class Taken {

    private final int socket;
    private final Channel giver;

    private Taken(int socket, Channel giver) {
      this.socket = socket;
      this.giver = giver;
    }

    int socket() {
      return socket;
    }

    /** Calls {@code then} once, when the other process has ended or has stopped accepting. */
    void whenEnded(Runnable then) {
      giver.closeFuture().addListener(gone -> then.run());
    }

    /** Tells the other process to stop, and calls {@code then} when it has stopped accepting. */
    private void serves(Runnable then) {
      whenEnded(then);
      giver.writeAndFlush(Unpooled.wrappedBuffer(new byte[1]));
    }

    /** Leaves the socket to the other process, which goes on alone. */
    void giveUp() {
      giver.close();
    }
  }

  /**
   * Asks the process behind the socket file for its listening socket. Returns null when there is no
   * such process.
   *
   * @throws IOException when a process exists but does not pass its socket
   */
  @Nullable Taken take() throws IOException {
    if (!loops.passesSockets()) {
      throw new IOException(
          "cql.handover needs epoll of Linux (" + NativeLibraries.epollFault() + "); leave it out");
    }
    BlockingQueue<Outcome> outcomes = new ArrayBlockingQueue<>(1);
    ChannelFuture asking =
        loops
            .forLocalSocket()
            .handler(new Receiver(outcomes))
            .connect(new DomainSocketAddress(path.toFile()));
    asking.addListener(
        connected -> {
          if (!connected.isSuccess()) {
            outcomes.offer(new Outcome(NONE, connected.cause()));
          }
        });
    Outcome outcome = first(outcomes);
    if (outcome.socket() != NONE) {
      return new Taken(outcome.socket(), asking.channel());
    }
    if (outcome.notReached() == null) {
      asking.channel().close();
      throw new IOException(
          "The process at cql.handover "
              + path
              + " did not hand its port over within "
              + PATIENCE_SECONDS
              + " s; end it first, or another process that waits for its port");
    } else if (Files.exists(path) && !(outcome.notReached() instanceof ConnectException)) {
      throw new IOException("Cannot ask at cql.handover " + path, outcome.notReached());
    }
    return null;
  }

  /**
   * The outcome of asking for the socket.
   *
   * @param socket the descriptor that was passed; {@link #NONE} for none
   * @param notReached why no process could be reached; null when one was
   */
  private record Outcome(int socket, @Nullable Throwable notReached) {

    static final Outcome NOTHING = new Outcome(NONE, null);
  }

  private static Outcome first(BlockingQueue<Outcome> outcomes) {
    try {
      Outcome outcome = outcomes.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return outcome == null ? Outcome.NOTHING : outcome;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Outcome.NOTHING;
    }
  }

  /** The side of the process that takes over. */
  private static final class Receiver extends ChannelInboundHandlerAdapter {

    private final BlockingQueue<Outcome> outcomes;

    Receiver(BlockingQueue<Outcome> outcomes) {
      this.outcomes = outcomes;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws IOException {
      if (message instanceof FileDescriptor socket
          && !outcomes.offer(new Outcome(socket.intValue(), null))) {
        socket.close();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      outcomes.offer(Outcome.NOTHING);
    }
  }

  /**
   * Tells the previous process to stop, and then offers the port to the next one.
   *
   * @param server the listening socket
   * @param before the previous process's hand-over; null when there was none
   * @param taken called once, when the next process serves
   */
  void serves(Channel server, @Nullable Taken before, Runnable taken) {
    if (before == null) {
      offer(server, taken);
    } else {
      before.serves(() -> offer(server, taken));
    }
  }

  private void offer(Channel server, Runnable taken) {
    if (closed) {
      return;
    }
    Path hidden;
    try {
      hidden = privateDirectory().resolve("s");
    } catch (IOException e) {
      LOG.warn("cql.handover {} cannot be used: {}", path, e.toString());
      return;
    }
    Giver giver = new Giver(server, taken);
    loops
        .forLocalClients()
        .childHandler(giver)
        .bind(new DomainSocketAddress(hidden.toFile()))
        .addListener(
            (ChannelFuture bound) -> {
              bound.channel().closeFuture().addListener(gone -> giver.withdrawn());
              try {
                if (!bound.isSuccess()) {
                  throw new IOException(bound.cause());
                }
                publish(bound.channel(), hidden);
              } catch (IOException e) {
                LOG.warn("cql.handover {} cannot be used: {}", path, e.toString());
                bound.channel().close();
              }
              Files.deleteIfExists(hidden);
              Files.deleteIfExists(hidden.getParent());
            });
  }

  /**
   * Creates a directory in which a new socket file is private at any time: a socket gets its mode
   * only after it accepts connections.
   */
  private Path privateDirectory() throws IOException {
    String name = ".h%08x".formatted(ThreadLocalRandom.current().nextInt());
    return Files.createDirectory(
        path.toAbsolutePath().resolveSibling(name),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /** Moves the socket file to its place, which may have a file of a process that was killed. */
  private void publish(Channel bound, Path hidden) throws IOException {
    Files.setPosixFilePermissions(hidden, PosixFilePermissions.fromString("rw-------"));
    Files.move(hidden, path, StandardCopyOption.ATOMIC_MOVE);
    offer = bound;
    published.set(true);
    if (closed) {
      withdraw();
    }
  }

  /**
   * The side of the process that hands over. One process at a time has the socket; the next one
   * that asks gets it when that one has gone. So a process that has the socket and loses its giver
   * may accept, because no other process does.
   */
  @ChannelHandler.Sharable
  private final class Giver extends ChannelInboundHandlerAdapter {

    private final Channel server;
    private final Runnable taken;

    /** The processes that ask; the first has the socket. */
    @GuardedBy("this")
    private final Deque<Channel> asking = new ArrayDeque<>();

    @GuardedBy("this")
    private @Nullable Channel successor;

    Giver(Channel server, Runnable taken) {
      this.server = server;
      this.taken = taken;
    }

    @Override
    public synchronized void channelActive(ChannelHandlerContext ctx) {
      asking.add(ctx.channel());
      if (asking.size() == 1) {
        passTo(ctx.channel());
      }
    }

    @Override
    public synchronized void channelInactive(ChannelHandlerContext ctx) {
      boolean had = asking.peek() == ctx.channel();
      asking.remove(ctx.channel());
      Channel next = asking.peek();
      if (had && next != null) {
        passTo(next);
      }
    }

    private void passTo(Channel next) {
      if (closed) {
        next.close();
      } else {
        next.writeAndFlush(((UnixChannel) server).fd());
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      boolean serves = false;
      if (message instanceof ByteBuf bytes) {
        serves = bytes.isReadable();
        bytes.release();
      }
      if (serves && succeeds(ctx.channel())) {
        close();
        // The end of this connection tells the other process that the socket file is free.
        server.close().addListener(ended -> closed(ctx.channel()));
      }
    }

    private synchronized boolean succeeds(Channel asks) {
      boolean succeeds = successor == null && asking.peek() == asks;
      if (succeeds) {
        successor = asks;
      }
      return succeeds;
    }

    /** Ends the wait of all processes that have not taken over. */
    synchronized void withdrawn() {
      for (Channel each : List.copyOf(asking)) {
        if (each != successor) {
          each.close();
        }
      }
    }

    private void closed(Channel asking) {
      Channel offered = offer;
      if (offered == null) {
        asking.close();
      } else {
        offered.closeFuture().addListener(gone -> asking.close());
      }
      taken.run();
    }
  }

  /** Withdraws the offer and removes the socket file. No process can ask any more. */
  @Override
  public void close() {
    closed = true;
    withdraw();
  }

  /** Removes the socket file once: later it may be the next process's. */
  private void withdraw() {
    Channel offered = offer;
    if (offered != null && published.compareAndSet(true, false)) {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        LOG.warn("cql.handover {} cannot be removed: {}", path, e.toString());
      }
      offered.close();
    }
  }
}
