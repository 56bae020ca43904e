package io.sluice.exchange.range;

import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.plan.PlanLine;
import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.decide.progress.AfterTimeout;
import io.sluice.exchange.QueuedRead;
import io.sluice.exchange.ReadTrace;
import io.sluice.exchange.ReplicaRead;
import io.sluice.exchange.ReplicaReadListener;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Timer;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request of a piece of a page, at one replica after another, until there is an answer, or the
 * error that the client gets. Not safe for several threads: its client's lane.
 */
final class PieceAttempt implements ReplicaReadListener {

  private final PageContext page;
  private final PieceRead piece;
  private final PieceListener listener;
  private final ReplicaRead replicas;
  private boolean asText;
  private boolean alone;
  private @Nullable QueuedRead first;
  private @Nullable SharedScan shared;
  private Timer.@Nullable Timeout patience;

  /** Not asked yet. */
  PieceAttempt(PageContext page, PieceRead piece, PieceListener listener) {
    this.page = page;
    this.piece = piece;
    this.listener = listener;
    this.replicas =
        new ReplicaRead(page.context(), page.page().client(), page.page().linkKey(), this);
  }

  /** Queues it for any of its replicas. */
  void submit() {
    replicas.start();
  }

  /** It is not wanted any more. */
  void cancel() {
    replicas.cancel();
  }

  /** It is not wanted any more, and neither is what a node has begun of it. */
  void abandon() {
    replicas.abandon();
  }

  boolean isSent() {
    return replicas.isSent();
  }

  @Override
  public List<NodeId> replicas() {
    return page.nodes(piece.piece());
  }

  @Override
  public QueuedRead queued(List<NodeId> nodes) {
    QueuedRead queued = new QueuedPiece(this, replicas, page, piece, nodes, !alone);
    first = first == null ? queued : first;
    return queued;
  }

  /** When it was first sent; {@code now} when it has waited until now. */
  long sentNanos(long now) {
    return first == null ? now : first.sentNanos(now);
  }

  /** Another piece of the page may have failed just now, and then nothing of it is wanted. */
  @Override
  public boolean isWanted() {
    return !piece.isCancelled() && listener.isWanted();
  }

  @Override
  public boolean waitsForClient() {
    return page.page().client().isCongested();
  }

  @Override
  public @Nullable Frame frame(Node node, QueuedRead granted) {
    int rows = piece.beginWith();
    if (rows == 0) {
      return null;
    }
    shared = ((QueuedPiece) granted).takeAlong(rows);
    Frame frame =
        shared == null
            ? piece.frame(node, rows, asText)
            : piece.frame(shared.whole(), node, asText);
    page.split().meters().sent();
    patience =
        page.lane()
            .schedule(page.context().rangeTimeoutNanos(), () -> replicas.guarded(this::noAnswer));
    return frame;
  }

  @Override
  public Kind rows() {
    return page.rows();
  }

  @Override
  public void requestEnded(QueuedRead granted, @Nullable Frame answer) {
    ReadTrace trace = listener.trace();
    if (trace != null) {
      int riders = shared == null ? 0 : shared.riders();
      trace.ended(step(), PlanLine.tokens(piece.piece().range()), granted, answer, riders);
    }
  }

  private String step() {
    return "piece " + (piece.number() + 1);
  }

  @Override
  public void attemptLost() {
    ended();
    shareNothing();
  }

  private void ended() {
    piece.nothingToCome();
    if (patience != null) {
      patience.cancel();
      patience = null;
    }
  }

  @Override
  public void answered(Frame frame, int error) {
    ended();
    if (shared != null) {
      shareOut(error < 0, frame);
    } else if (piece.isCancelled()) {
      frame.release();
    } else if (error < 0) {
      listener.answered(piece.number(), frame);
    } else {
      refused(error, frame);
    }
  }

  private void shareOut(boolean hasRows, Frame frame) {
    SharedScan answered = shared;
    Frame own = null;
    if (answered != null && hasRows) {
      shared = null;
      MergeRule.Concatenate rule = (MergeRule.Concatenate) page.plan().merge();
      own = answered.answered(frame, rule, page.partitioner(), page.split().meters());
    }
    shareNothing();
    frame.release();
    used(own);
  }

  /** Pieces that were to be read together are asked alone: an error may be due to the size. */
  private void shareNothing() {
    SharedScan over = shared;
    shared = null;
    if (over != null) {
      over.failed();
      alone = true;
    }
  }

  /** Uses the rows that a shared answer holds for this piece. */
  private void used(@Nullable Frame own) {
    if (own != null && !piece.isCancelled()) {
      listener.answered(piece.number(), own);
    } else if (own != null) {
      own.release();
    } else if (!piece.isCancelled()) {
      alone = true;
      submit();
    }
  }

  /** Another piece has read for this one; without an answer it waits for its turn again. */
  void ride(QueuedPiece given, @Nullable Frame own) {
    if (!replicas.isAt(given) || !isWanted()) {
      if (own != null) {
        own.release();
      }
    } else if (own != null && !given.hasRoom()) {
      own.release();
      postpone(given);
    } else {
      ReadTrace trace = listener.trace();
      if (trace != null && own != null) {
        trace.shared(step(), PlanLine.tokens(piece.piece().range()), given, own);
      }
      replicas.cancel();
      used(own);
    }
  }

  /** It asks again when its client has caught up. */
  void postpone(QueuedPiece given) {
    replicas.afterDrain(given);
  }

  /** A node's answer is an error. */
  private void refused(int error, Frame frame) {
    switch (error) {
      case ErrorCode.READ_TIMEOUT -> timedOut(frame);
      case ErrorCode.OVERLOADED, ErrorCode.IS_BOOTSTRAPPING ->
          handedOn(replicas.afterShedding(), frame);
      case ErrorCode.UNAVAILABLE, ErrorCode.READ_FAILURE, ErrorCode.SERVER_ERROR ->
          handedOn(replicas.toAnotherReplica(), frame);
      case ErrorCode.UNPREPARED -> {
        if (asText) {
          listener.misunderstood(frame);
        } else {
          frame.release();
          piece.forgetPrepared();
          asText = true;
          submit();
        }
      }
      default -> listener.misunderstood(frame);
    }
  }

  private void handedOn(boolean elsewhere, Frame error) {
    if (elsewhere) {
      error.release();
    } else {
      listener.error(error);
    }
  }

  private void timedOut(@Nullable Frame error) {
    AfterTimeout next = piece.timedOut();
    if (next instanceof AfterTimeout.GiveUp) {
      if (error == null) {
        listener.fail(
            new Failure.Unknown("Operation timed out: no node answered within the timeout"));
      } else {
        listener.error(error);
      }
      return;
    }
    if (error != null) {
      error.release();
    }
    if (next instanceof AfterTimeout.AskHalves halves) {
      listener.halved(piece.number(), halves);
    } else if (!replicas.toAnotherReplica()) {
      submit();
    }
  }

  private void noAnswer() {
    patience = null;
    replicas.timeOut();
    if (!piece.isCancelled()) {
      timedOut(null);
    }
  }

  @Override
  public void failed(Failure failure) {
    if (!piece.isCancelled()) {
      listener.fail(failure);
    }
  }
}
