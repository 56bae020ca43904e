package io.sluice.exchange.range;

import io.sluice.exchange.ReadTrace;
import io.sluice.execute.dispatch.Attempt;
import io.sluice.execute.dispatch.Attempt.AttemptListener;
import io.sluice.execute.dispatch.Attempt.NodeAnswer;
import io.sluice.execute.reply.Failure;
import io.sluice.fleet.HomeChoice.Away;
import io.sluice.link.LinkKey;
import io.sluice.meter.HomeMeters.Fallback;
import io.sluice.time.Lane;
import io.sluice.time.Timer;
import io.sluice.wire.Answers;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.ForwardedPiece;
import io.sluice.wire.Frame;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One request for a piece at the home proxy of its node. It ends with the home's answer, or when
 * the home is lost, silent or too slow. A late answer is dropped. Not safe for several threads: its
 * client's lane.
 */
final class HomeAttempt implements AttemptListener {

  private final PieceHomes homes;
  private final Away to;
  private final HomeListener listener;
  private long sentAt;
  private long givenNanos;
  private @Nullable Attempt attempt;
  private Timer.@Nullable Timeout answerTimeout;
  private boolean over;

  HomeAttempt(PieceHomes homes, Away to, HomeListener listener) {
    this.homes = homes;
    this.to = to;
    this.listener = listener;
  }

  /** Sends the request; takes the frame over. Called once. */
  void start(Lane lane, LinkKey key, Frame frame, long now, long timeoutNanos) {
    sentAt = now;
    givenNanos = timeoutNanos;
    homes.meters().sent();
    homes.health().tried(to, timeoutNanos);
    Attempt next = homes.attempt(lane, to.home(), key, frame, this);
    attempt = next;
    answerTimeout = lane.schedule(timeoutNanos, () -> giveUp(Fallback.LATE));
    next.start();
  }

  /** Whether the request has ended or was abandoned. */
  boolean isOver() {
    return over;
  }

  /** Stops waiting, without a call of the listener. */
  void abandon() {
    if (end() && attempt != null) {
      attempt.abandon();
    }
  }

  private boolean end() {
    if (over) {
      return false;
    }
    over = true;
    if (answerTimeout != null) {
      answerTimeout.cancel();
    }
    return true;
  }

  private void giveUp(Fallback reason) {
    if (!over) {
      abandon();
      if (reason == Fallback.LATE) {
        homes.health().late(to.node(), givenNanos);
      }
      listener.onHomeFallback(reason);
    }
  }

  @Override
  public void ended(NodeAnswer answer) {
    boolean last = end();
    if (answer instanceof NodeAnswer.Answered answered) {
      if (last) {
        answered(answered.frame());
      } else {
        answered.frame().release();
      }
    } else if (last) {
      listener.onHomeFallback(
          answer instanceof NodeAnswer.Refused ? Fallback.REFUSED : Fallback.LOST);
    }
  }

  private void answered(Frame frame) {
    ForwardedPiece.Receipt receipt = ForwardedPiece.Receipt.of(frame);
    if (receipt != null) {
      homes.health().answered(to.node(), givenNanos, receipt);
      ForwardedPiece.Receipt.takeOut(frame);
      long sentByHome = sentAt + TimeUnit.MICROSECONDS.toNanos(receipt.queuedMicros());
      listener.onHomeAnswer(to, frame, new ReadTrace.Times(sentAt, sentByHome));
      return;
    }
    int error = Answers.errorCode(frame);
    frame.release();
    boolean refuses =
        switch (error) {
          case ErrorCode.OVERLOADED,
              ErrorCode.IS_BOOTSTRAPPING,
              ErrorCode.READ_TIMEOUT,
              ErrorCode.UNAVAILABLE,
              ErrorCode.UNPREPARED,
              // The link returns this for an answer that is too large for this proxy.
              ErrorCode.INVALID ->
              true;
          default -> false;
        };
    if (!refuses) {
      homes.health().shun(to.home().instance());
    }
    listener.onHomeFallback(refuses ? Fallback.REFUSED : Fallback.NOT_A_HOME);
  }

  @Override
  public void broke(Throwable cause) {
    end();
    listener.failed(Failure.internal(cause));
  }

  @Override
  public void silent(boolean sent) {
    giveUp(Fallback.SILENT);
  }
}
