package io.sluice.link;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import io.sluice.time.NanoClock;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.ProtocolError;

/**
 * One connection to one node, used by the requests of one lane. All methods are called on that
 * lane.
 */
public final class Link extends ChannelInboundHandlerAdapter {

  private final NodeId node;
  private final int version;
  private final Channel channel;
  private final Lane lane;
  private final NanoClock clock;
  private final SilenceWatch silence;
  private final SuspectListener suspects;
  private final InFlight inFlight = new InFlight();
  private boolean flushing;
  private String closing = "the node closed the connection";

  Link(
      NodeId node,
      int version,
      Channel channel,
      Lane lane,
      NanoClock clock,
      LinkConfig config,
      SuspectListener suspects) {
    this.node = node;
    this.version = version;
    this.channel = channel;
    this.lane = lane;
    this.clock = clock;
    this.silence = new SilenceWatch(config, clock);
    this.suspects = suspects;
  }

  public NodeId node() {
    return node;
  }

  /** Whether requests can still be sent. */
  public boolean isOpen() {
    return channel.isActive();
  }

  /**
   * Sends a request; takes the frame over.
   *
   * @return the stream id, for {@link #abandon}; −1 when the link is closed or has no stream id
   *     left, in which case the frame is released and the handler will not be called
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

  /** Stops waiting for an answer; its stream id stays taken until the answer comes. */
  public void abandon(int stream, AnswerHandler handler) {
    inFlight.orphan(stream, handler);
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
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof Frame frame) {
      if (silence.heard(clock.nanoTime())) {
        suspects.suspect(node, false);
      }
      AnswerHandler handler = inFlight.remove(frame.stream());
      if (handler != null) {
        handler.answered(frame);
      } else {
        frame.release();
      }
    } else if (message instanceof ProtocolError broken) {
      close("the node sent what is no frame: " + broken.getMessage());
    } else {
      ctx.fireChannelRead(message);
    }
  }

  /** Looks whether the node still talks; called every now and then. */
  void checkSilence() {
    switch (silence.check(inFlight.waiting(), clock.nanoTime())) {
      case PROBE -> probe();
      case SUSPECT -> {
        suspects.suspect(node, true);
        inFlight.waiters().forEach(AnswerHandler::silent);
      }
      case DROP -> close("the node did not answer for too long");
      case IDLE -> close("idle");
      case FINE -> {}
    }
  }

  /** Whether its node was silent for too long when it was last looked at. */
  boolean isSuspect() {
    return silence.isSuspect();
  }

  private void probe() {
    send(
        CqlCodec.options(version),
        new AnswerHandler() {
          @Override
          public void answered(Frame answer) {
            answer.release();
          }

          @Override
          public void lost(String reason) {
            // The requests that wait on this link are told.
          }
        });
  }

  /** Closes the connection; who waits is told {@code reason}. */
  public void close(String reason) {
    closing = reason;
    channel.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    inFlight.clear().forEach(handler -> handler.lost(closing));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    close(String.valueOf(cause.getMessage()));
  }

  @Override
  public String toString() {
    return "Link[" + channel.remoteAddress() + " v" + version + "]";
  }
}
