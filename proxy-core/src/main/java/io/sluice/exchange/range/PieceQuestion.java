package io.sluice.exchange.range;

import io.sluice.accept.Client;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.plan.Planner;
import io.sluice.decide.schedule.Permit;
import io.sluice.exchange.PermitOutcome;
import io.sluice.execute.dispatch.Attempt;
import io.sluice.execute.dispatch.AttemptListener;
import io.sluice.execute.dispatch.NodeAnswer;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Timer;
import io.sluice.wire.Answers;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request for a piece of a page: waits for its turn at a replica, and goes on to another when
 * that goes wrong, until there is an answer, or the error that the client gets. Used on its
 * client's lane only.
 */
final class PieceQuestion implements AttemptListener {

  private final ScatterRead read;
  private final PieceRead piece;
  private final boolean lastTry;
  private final List<NodeId> tried = new ArrayList<>(2);
  private int timeouts;
  private boolean asText;
  private boolean alone;
  private @Nullable PieceTurn turn;
  private @Nullable SharedScan shared;
  private @Nullable Attempt attempt;
  private Timer.@Nullable Timeout patience;

  /**
   * Not asked yet.
   *
   * @param lastTry whether the piece is not cut any more when it takes too long
   */
  PieceQuestion(ScatterRead read, PieceRead piece, boolean lastTry) {
    this.read = read;
    this.piece = piece;
    this.lastTry = lastTry;
  }

  /** Queues it for any of its replicas. */
  void submit() {
    submit(replicas());
  }

  /** One of its page may have been refused just now, and then nothing of the page is wanted. */
  private void submit(List<NodeId> replicas) {
    if (piece.isCancelled()) {
      return;
    }
    List<NodeId> nodes = replicas.isEmpty() ? anyNode() : replicas;
    if (nodes.isEmpty()) {
      read.fail(new Failure.Unreachable("No node is known that could be asked"));
      return;
    }
    PieceTurn next = new PieceTurn(this, read, piece, nodes, !alone);
    turn = next;
    next.submit();
  }

  private List<NodeId> replicas() {
    return piece.request().piece().replicas();
  }

  private List<NodeId> anyNode() {
    return Planner.home(read.page().client().id(), read.context().view().ring());
  }

  private List<NodeId> untried(List<NodeId> nodes) {
    return nodes.stream().filter(node -> !tried.contains(node)).toList();
  }

  /** Goes on at a replica that was not asked yet, or else at any node; false without one. */
  private boolean elsewhere() {
    List<NodeId> left = untried(replicas());
    if (left.isEmpty()) {
      left = untried(anyNode());
    }
    if (!left.isEmpty()) {
      submit(left);
    }
    return !left.isEmpty();
  }

  /** It is not wanted any more. What a node has begun is let finish: it holds a slot there. */
  void cancel() {
    PieceTurn waiting = turn;
    if (waiting != null && waiting.permit() == null && waiting.leaveQueue()) {
      turn = null;
    }
  }

  /** Its turn has come. */
  void begin(PieceTurn granted, Permit permit) {
    Client client = read.page().client();
    if (turn != granted || piece.isCancelled() || !read.isWanted()) {
      permit.finishAbandoned();
    } else if (client.isCongested()) {
      permit.finishAbandoned();
      client.whenDrained(() -> again(granted));
    } else {
      int rows = piece.beginWith();
      if (rows == 0) {
        permit.finishAbandoned();
        turn = null;
      } else {
        granted.take(permit);
        shared = granted.takeAlong(rows);
        send(permit.node(), rows);
      }
    }
  }

  private void again(PieceTurn waiting) {
    if (turn == waiting && !piece.isCancelled()) {
      submit();
    }
  }

  private void send(NodeId id, int rows) {
    tried.add(id);
    Node node = read.context().view().ring().node(id);
    if (node == null) {
      ended(new NodeAnswer.LinkLost("node " + id + " has left the cluster", false));
      return;
    }
    read.split().meters().sent();
    Frame frame =
        shared == null
            ? piece.frame(node, rows, asText)
            : piece.frame(shared.whole(), node, asText);
    Attempt next =
        read.context().dispatcher().attempt(read.lane(), node, read.page().linkKey(), frame, this);
    attempt = next;
    patience =
        read.lane().schedule(read.context().readTimeoutNanos(PriorityClass.RANGE), this::noAnswer);
    Permit permit = turn == null ? null : turn.permit();
    if (permit != null) {
      permit.sent();
    }
    next.start();
  }

  @Override
  public void ended(NodeAnswer answer) {
    attempt = null;
    piece.nothingToCome();
    stopWaiting();
    Permit permit = takePermit();
    if (answer instanceof NodeAnswer.Answered answered) {
      answered(answered.frame(), permit);
      return;
    }
    shareNothing();
    if (permit != null) {
      permit.finishAbandoned();
    }
    if (piece.isCancelled()) {
      return;
    }
    if (answer instanceof NodeAnswer.Refused refused) {
      read.fail(new Failure.Refused(refused.errorCode(), refused.message()));
    } else if (answer instanceof NodeAnswer.LinkLost lost && !elsewhere()) {
      read.fail(new Failure.Unreachable("No replica could be reached: " + lost.reason()));
    }
  }

  private void stopWaiting() {
    if (patience != null) {
      patience.cancel();
      patience = null;
    }
  }

  private @Nullable Permit takePermit() {
    PieceTurn current = turn;
    turn = null;
    return current == null ? null : current.permit();
  }

  private void answered(Frame frame, @Nullable Permit permit) {
    int error = Answers.errorCode(frame);
    if (permit != null) {
      PermitOutcome.finish(permit, frame, error, read.rows());
    }
    if (shared != null) {
      shareOut(error < 0, frame);
    } else if (piece.isCancelled()) {
      frame.release();
    } else if (error < 0) {
      read.answered(piece, frame);
    } else {
      refused(error, frame);
    }
  }

  private void shareOut(boolean hasRows, Frame frame) {
    SharedScan answered = shared;
    Frame own = null;
    if (answered != null && hasRows) {
      shared = null;
      MergeRule.Concatenate rule = (MergeRule.Concatenate) read.plan().merge();
      own = answered.answered(frame, rule, read.partitioner(), read.split().meters());
    }
    shareNothing();
    frame.release();
    used(own);
  }

  /** Who was to be read together asks alone: an error may be due to how much it was. */
  private void shareNothing() {
    SharedScan over = shared;
    shared = null;
    if (over != null) {
      over.failed();
      alone = true;
    }
  }

  /** What another's answer, or one that was asked for others, too, holds for this piece. */
  private void used(@Nullable Frame own) {
    if (own != null && !piece.isCancelled()) {
      read.answered(piece, own);
    } else if (own != null) {
      own.release();
    } else if (!piece.isCancelled()) {
      alone = true;
      submit();
    }
  }

  /** Another part has read for this one; without an answer it waits for its turn again. */
  void ride(PieceTurn given, @Nullable Frame own) {
    if (turn != given || !read.isWanted()) {
      if (own != null) {
        own.release();
      }
    } else if (own != null && !given.hasRoom()) {
      own.release();
      postpone(given);
    } else {
      turn = null;
      used(own);
    }
  }

  /** It asks again when its client has caught up. */
  void postpone(PieceTurn given) {
    read.page().client().whenDrained(() -> again(given));
  }

  /** A node's answer is an error. */
  private void refused(int error, Frame frame) {
    switch (error) {
      case ErrorCode.READ_TIMEOUT -> timedOut(frame);
      case ErrorCode.OVERLOADED,
          ErrorCode.IS_BOOTSTRAPPING,
          ErrorCode.UNAVAILABLE,
          ErrorCode.READ_FAILURE,
          ErrorCode.SERVER_ERROR -> {
        if (untried(replicas()).isEmpty()) {
          read.error(frame);
        } else {
          frame.release();
          elsewhere();
        }
      }
      case ErrorCode.UNPREPARED -> {
        if (asText) {
          read.misunderstood(frame);
        } else {
          frame.release();
          piece.forgetPrepared();
          asText = true;
          submit();
        }
      }
      default -> read.misunderstood(frame);
    }
  }

  /** Once is bad luck. What takes too long twice is too much at a time. */
  private void timedOut(@Nullable Frame error) {
    timeouts++;
    boolean goesOn = !lastTry && (timeouts == 1 || (piece.isUntouched() && read.cut(piece)));
    if (!goesOn) {
      if (error == null) {
        read.fail(new Failure.Unknown("Operation timed out: no node answered within the timeout"));
      } else {
        read.error(error);
      }
      return;
    }
    if (error != null) {
      error.release();
    }
    if (timeouts == 1) {
      List<NodeId> left = untried(replicas());
      submit(left.isEmpty() ? replicas() : left);
    }
  }

  @Override
  public void broke(Throwable cause) {
    giveAttemptUp(false);
    read.fail(Failure.internal(cause));
  }

  private void noAnswer() {
    patience = null;
    giveAttemptUp(true);
    if (!piece.isCancelled()) {
      timedOut(null);
    }
  }

  private void giveAttemptUp(boolean overloaded) {
    stopWaiting();
    shareNothing();
    if (attempt != null) {
      attempt.abandon();
      attempt = null;
    }
    Permit permit = takePermit();
    if (permit == null) {
      return;
    }
    if (overloaded) {
      permit.finishOverloaded();
    } else {
      permit.finishAbandoned();
    }
  }

  @Override
  public void silent(boolean sent) {
    if (piece.isCancelled()) {
      giveAttemptUp(false);
    } else if (!untried(replicas()).isEmpty()) {
      giveAttemptUp(false);
      elsewhere();
    }
  }

  /** No replica lets it in. */
  void refused(PieceTurn refused, Refusal refusal) {
    if (turn == refused && !piece.isCancelled()) {
      turn = null;
      read.fail(
          switch (refusal.reason()) {
            case OVERLOADED -> new Failure.Overloaded(refusal.message());
            case DEADLINE -> new Failure.Unknown(refusal.message());
            case UNAVAILABLE -> new Failure.Unreachable(refusal.message());
          });
    }
  }
}
