package io.sluice.exchange.range;

import io.sluice.execute.dispatch.Attempt;
import io.sluice.execute.dispatch.AttemptListener;
import io.sluice.execute.dispatch.NodeAnswer;
import io.sluice.fleet.HomeChoice.Away;
import io.sluice.link.LinkKey;
import io.sluice.meter.HomeMeters.Fallback;
import io.sluice.time.Lane;
import io.sluice.time.Timer;
import io.sluice.wire.Answers;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.ForwardedPiece;
import io.sluice.wire.Frame;
import org.jspecify.annotations.Nullable;

/**
 * One request for a piece at the home proxy of its node. It ends when the home has answered, or
 * cannot be waited for; a late answer is dropped. Not safe for several threads: its client's lane.
 */
final class HomeAttempt implements AttemptListener {

  private final PieceHomes homes;
  private final Away to;
  private final HomeListener listener;
  private @Nullable Attempt attempt;
  private Timer.@Nullable Timeout patience;
  private boolean over;

  HomeAttempt(PieceHomes homes, Away to, HomeListener listener) {
    this.homes = homes;
    this.to = to;
    this.listener = listener;
  }

  /** Sends; takes the frame over. Called once. */
  void start(Lane lane, LinkKey key, Frame frame, long patienceNanos) {
    homes.meters().sent();
    Attempt next = homes.attempt(lane, to.home(), key, frame, this);
    attempt = next;
    patience = lane.schedule(patienceNanos, () -> giveUp(Fallback.LATE));
    next.start();
  }

  /** Stops waiting; nothing is told. */
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
    if (patience != null) {
      patience.cancel();
    }
    return true;
  }

  private void giveUp(Fallback reason) {
    if (!over) {
      abandon();
      listener.notAnsweredThere(reason);
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
      listener.notAnsweredThere(
          answer instanceof NodeAnswer.Refused ? Fallback.REFUSED : Fallback.LOST);
    }
  }

  private void answered(Frame frame) {
    ForwardedPiece.Receipt receipt = ForwardedPiece.Receipt.of(frame);
    if (receipt != null) {
      homes.health().told(to.node(), receipt);
      ForwardedPiece.Receipt.takeOut(frame);
      listener.answeredThere(to, frame, receipt);
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
              ErrorCode.UNPREPARED ->
              true;
          default -> false;
        };
    if (!refuses) {
      homes.health().shun(to.home().instance());
    }
    listener.notAnsweredThere(refuses ? Fallback.REFUSED : Fallback.NOT_A_HOME);
  }

  @Override
  public void broke(Throwable cause) {
    end();
    listener.brokeThere(cause);
  }

  @Override
  public void silent(boolean sent) {
    giveUp(Fallback.SILENT);
  }
}
