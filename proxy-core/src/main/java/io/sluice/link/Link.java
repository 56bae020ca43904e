package io.sluice.link;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.sluice.memory.OutOfMemory;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import io.sluice.time.NanoClock;
import io.sluice.tls.TlsConnection;
import io.sluice.wire.Answers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.ProtocolError;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to one node, shared by the requests of one lane. An exception of a handler ends only
 * the handler's own request. All methods are called on that lane.
 */
public final class Link extends ChannelInboundHandlerAdapter {

  private static final Logger LOG = LoggerFactory.getLogger(Link.class);

  /** A part of the names of Cassandra's authenticators that accept certificates. */
  private static final String BY_CERTIFICATE = "MutualTls";

  private static final String PASSWORD_FALLBACK = "WithPasswordFallback";

  private final int version;
  private final Channel channel;
  private final Lane lane;
  private final NanoClock clock;
  private final SilenceWatch silence;
  private final NodePulse pulse;
  private final InFlight inFlight;
  private final long openedNanos;
  private boolean flushing;
  private boolean ready;
  private int doubts;
  private String closing = "the node closed the connection";

  /**
   * Creates the link of an established connection.
   *
   * @param abandoned counts the bytes of abandoned requests that are not sent yet
   */
  Link(
      NodePulse pulse,
      int version,
      Channel channel,
      Lane lane,
      NanoClock clock,
      LinkConfig config,
      LongConsumer abandoned) {
    this.pulse = pulse;
    this.version = version;
    this.channel = channel;
    this.lane = lane;
    this.clock = clock;
    this.silence = new SilenceWatch(config, clock);
    this.inFlight = new InFlight(abandoned);
    this.openedNanos = clock.nanoTime();
  }

  public NodeId node() {
    return pulse.node();
  }

  /** Whether requests can still be sent. */
  public boolean isOpen() {
    return channel.isActive();
  }

  /** Whether no request is in flight. */
  boolean isIdle() {
    return waiting() == 0;
  }

  /** Returns the number of requests in flight. */
  int waiting() {
    return inFlight.waiting();
  }

  /** Returns how long the link has existed, in ns. */
  long ageNanos() {
    return clock.nanoTime() - openedNanos;
  }

  /** Marks the handshake as complete, so that requests of clients can be sent. */
  void becomesReady() {
    if (!ready && channel.isActive()) {
      ready = true;
      doubts = pulse.doubts();
      pulse.opened();
    }
  }

  /**
   * Sends a request and takes ownership of the frame.
   *
   * @return the stream id, for {@link #abandon}; −1 when the link is closed or has no free stream
   *     id. The frame is released then, and the handler is not called
   */
  public int send(Frame request, AnswerHandler handler) {
    int stream = channel.isActive() ? inFlight.add(handler) : -1;
    if (stream < 0) {
      request.release();
      return -1;
    }
    silence.sent(inFlight.waiting(), clock.nanoTime());
    channel.write(request.onStream(stream), channel.voidPromise());
    flushSoon();
    return stream;
  }

  /**
   * Returns the reason why no client can log in over this link after {@code authenticate}; null if
   * one can. A node that accepts certificates would take this proxy's certificate for every
   * client's.
   */
  public @Nullable String loginRefused(Frame authenticate) {
    String authenticator = Answers.authenticator(authenticate);
    boolean byCertificate =
        authenticator.contains(BY_CERTIFICATE)
            && (!authenticator.contains(PASSWORD_FALLBACK)
                || TlsConnection.showsCertificate(channel));
    return byCertificate
        ? "The cluster's authenticator "
            + authenticator
            + " takes a client's certificate for its proof, which a proxy cannot show; Sluice needs"
            + " an authenticator of passwords"
        : null;
  }

  /**
   * Stops waiting for a response. The stream id stays taken until the response arrives. A request
   * that the node does not read is kept, and counted, until the link is closed.
   *
   * @param bytes the length of the request
   */
  public void abandon(int stream, AnswerHandler handler, int bytes) {
    inFlight.orphan(stream, handler, bytes);
    countAbandoned();
  }

  private void countAbandoned() {
    ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
    inFlight.countOrphans(unsent == null ? 0 : unsent.totalPendingWriteBytes());
  }

  private void flushSoon() {
    if (!flushing) {
      flushing = true;
      lane.execute(
          () -> {
            flushing = false;
            channel.flush();
          });
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    ctx.pipeline().addFirst("link-bytes", new ByteListener());
  }

  /**
   * Notices bytes before they form a complete frame, as a long response may take long to arrive.
   */
  private final class ByteListener extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      long now = clock.nanoTime();
      silence.heard(now);
      pulse.heard(now);
      ctx.fireChannelRead(message);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof Frame frame) {
      AnswerHandler handler = inFlight.remove(frame.stream());
      if (handler != null) {
        answered(handler, frame);
      } else {
        frame.release();
      }
    } else if (message instanceof ProtocolError large && large.isTooLarge()) {
      tooLarge(large);
    } else if (message instanceof ProtocolError broken) {
      close("the node sent what is no frame: " + broken.getMessage());
    } else {
      ctx.fireChannelRead(message);
    }
  }

  /** Ends the request whose answer is not read, as if the node had answered with this error. */
  private void tooLarge(ProtocolError error) {
    AnswerHandler handler = inFlight.remove(error.stream());
    if (handler == null) {
      close("the node sent a large answer to no request: " + error.getMessage());
    } else {
      answered(handler, CqlCodec.error(version, error));
    }
  }

  private void answered(AnswerHandler handler, Frame frame) {
    try {
      handler.answered(frame);
    } catch (Throwable e) {
      OutOfMemory.handOn(e);
      LOG.error("Cannot handle an answer of {}", channel.remoteAddress(), e);
      frame.releaseUnlessGone();
    }
  }

  /** Calls each handler, even if another one throws. */
  private void tell(Iterable<AnswerHandler> handlers, Consumer<AnswerHandler> what) {
    for (AnswerHandler handler : handlers) {
      try {
        what.accept(handler);
      } catch (Throwable e) {
        OutOfMemory.handOn(e);
        LOG.error("Cannot handle the loss or silence of {}", channel.remoteAddress(), e);
      }
    }
  }

  /** Checks whether the node is silent. Called periodically. */
  void checkSilence() {
    countAbandoned();
    switch (silence.check(inFlight.waiting(), clock.nanoTime())) {
      case PROBE -> {
        pulse.doubted();
        probe();
      }
      case SUSPECT -> {
        pulse.silent();
        tell(inFlight.waiters(), AnswerHandler::silent);
      }
      case DROP -> close("the node did not answer for too long");
      case IDLE -> close("idle");
      case FINE -> probeIfDoubted();
    }
  }

  /** Sends a probe on an idle link when another link doubts the node. */
  private void probeIfDoubted() {
    int now = pulse.doubts();
    if (ready && doubts != now && inFlight.waiting() == 0) {
      probe();
    }
    doubts = now;
  }

  private void probe() {
    doubts = pulse.doubts();
    send(
        CqlCodec.options(version),
        new AnswerHandler() {
          @Override
          public void answered(Frame answer) {
            answer.release();
          }

          @Override
          public void lost(String reason) {
            // The handlers of the requests on this link are called.
          }
        });
  }

  /** Closes the connection. Requests in flight are lost for this {@code reason}. */
  public void close(String reason) {
    closing = reason;
    channel.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    if (ready) {
      ready = false;
      pulse.closed();
    }
    List<AnswerHandler> waiters = inFlight.clear();
    countAbandoned();
    tell(waiters, handler -> handler.lost(closing));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    OutOfMemory.handOn(cause);
    if (cause instanceof ClosedChannelException) {
      close(closing);
    } else {
      close(cause.getMessage() == null ? cause.toString() : cause.getMessage());
    }
  }

  @Override
  public String toString() {
    return "Link[" + channel.remoteAddress() + " v" + version + "]";
  }

  /**
   * The receiver of a requested link. Called on the requesting lane. {@link #ready}, {@link
   * #failed} or {@link #keyspaceRefused} is the last call. A failure is never reported before the
   * method that requests the link has returned.
   */
  public interface LinkWaiter {

    void ready(Link link);

    void failed(LinkFailure failure);

    /**
     * Called when the node has accepted the login but refused the keyspace. The receiver owns the
     * link.
     */
    default void keyspaceRefused(Link loggedIn, LinkFailure failure) {
      loggedIn.close(failure.message());
      failed(failure);
    }

    /**
     * Called repeatedly while the node is slow to accept a connection, as a node does that has left
     * the network.
     */
    default void silent() {}
  }

  /**
   * The receiver of the response to one request. Called on the link's lane. {@link #answered} or
   * {@link #lost} is the last call. An exception of a method is logged, and the link goes on.
   */
  public interface AnswerHandler {

    /**
     * Handles the response. The receiver owns the frame, but the link releases it if this method
     * throws.
     */
    void answered(Frame answer);

    /** Called when the link has broken. Whether the node has seen the request is not known. */
    void lost(String reason);

    /** Called while the node is silent, repeatedly. The response may still arrive. */
    default void silent() {}
  }
}
