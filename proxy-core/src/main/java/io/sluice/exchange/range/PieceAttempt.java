package io.sluice.exchange.range;

import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.plan.PlanLine;
import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.decide.progress.AfterTimeout;
import io.sluice.exchange.QueuedRead;
import io.sluice.exchange.ReadTrace;
import io.sluice.exchange.ReplicaRead;
import io.sluice.execute.reply.Failure;
import io.sluice.fleet.HomeChoice;
import io.sluice.meter.HomeMeters.Fallback;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Timer;
import io.sluice.wire.Answers;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.ForwardedPiece;
import io.sluice.wire.Frame;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One request of a piece of a page, at one replica after another, until there is an answer, or the
 * error that the client gets. Not safe for several threads: its client's lane.
 */
final class PieceAttempt implements ReplicaRead.Listener, HomeListener {

  private final PageContext page;
  private final PieceRead piece;
  private final PieceListener listener;
  private final ReplicaRead replicas;
  private boolean asText;
  private boolean alone;

  /** Whether its node is asked by this proxy, whatever its home. */
  private boolean direct;

  private @Nullable HomeAttempt away;
  private long sentAt;
  private @Nullable Long sentThere;
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

  /** Queues it for any of its replicas, or sends it to the proxy where it waits. */
  void submit() {
    HomeChoice choice = direct || alone ? null : page.home(piece.piece());
    if (choice instanceof HomeChoice.Away to) {
      send(to);
      return;
    }
    if (choice instanceof HomeChoice.Instead) {
      fallsBack(Fallback.AVOIDED);
    }
    replicas.start();
  }

  private void send(HomeChoice.Away to) {
    if (waitsForClient()) {
      page.page().client().whenDrained(() -> replicas.guarded(this::sendUnlessOver));
      return;
    }
    long left = page.leftNanos() / 2;
    int rows = left <= 0 ? 0 : piece.beginWith();
    if (rows == 0) {
      return;
    }
    HomeAttempt next = new HomeAttempt(homes(), to, this);
    away = next;
    sentAt = page.context().clock().nanoTime();
    Frame frame = piece.forwarded(to, rows, left);
    next.start(page.lane(), page.page().linkKey(), frame, left);
  }

  private void sendUnlessOver() {
    if (isWanted()) {
      submit();
    }
  }

  private PieceHomes homes() {
    return Objects.requireNonNull(page.split().homes());
  }

  @Override
  public void answeredThere(HomeChoice.Away there, Frame answer, ForwardedPiece.Receipt receipt) {
    away = null;
    direct = true;
    replicas.wasAsked(there.node());
    sentThere = sentAt + TimeUnit.MICROSECONDS.toNanos(receipt.queuedMicros());
    ReadTrace trace = listener.trace();
    if (trace != null) {
      String range = PlanLine.tokens(piece.piece().range());
      trace.elsewhere(step(), there, range, new ReadTrace.Times(sentAt, sentThere), answer);
    }
    answered(answer, Answers.errorCode(answer));
  }

  @Override
  public void notAnsweredThere(Fallback reason) {
    away = null;
    piece.nothingToCome();
    if (isWanted()) {
      fallsBack(reason);
      replicas.guarded(replicas::start);
    }
  }

  /** Pieces of later waves go to their home again. */
  private void fallsBack(Fallback reason) {
    direct = true;
    homes().meters().fellBack(reason);
  }

  @Override
  public void brokeThere(Throwable cause) {
    away = null;
    failed(Failure.internal(cause));
  }

  /** It is not wanted any more; what waits or is read at its home is let finish. */
  void cancel() {
    replicas.cancel();
  }

  /** It is not wanted any more, and neither is what a node has begun of it. */
  void abandon() {
    replicas.abandon();
    if (away != null) {
      away.abandon();
      away = null;
    }
  }

  boolean isSent() {
    return away != null || replicas.isSent();
  }

  @Override
  public List<NodeId> replicas() {
    return page.nodes(piece.piece());
  }

  @Override
  public QueuedRead queued(List<NodeId> nodes) {
    QueuedRead queued = new QueuedPiece(this, replicas, page, piece, here(nodes), !alone);
    first = first == null ? queued : first;
    return queued;
  }

  /** Of these nodes those whose home is this proxy, if it is that of one. */
  private List<NodeId> here(List<NodeId> nodes) {
    boolean any = direct || alone || page.split().homes() == null;
    if (any || !(page.home(piece.piece()) instanceof HomeChoice.Here here)) {
      return nodes;
    }
    List<NodeId> both = nodes.stream().filter(here.nodes()::contains).toList();
    return both.isEmpty() ? nodes : both;
  }

  /** When it was first sent; {@code now} when it has waited until now. */
  long sentNanos(long now) {
    if (sentThere != null) {
      return sentThere;
    }
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
    if (answer != null) {
      piece.answeredBy(granted.node());
    }
    ReadTrace trace = listener.trace();
    if (trace != null) {
      int riders = shared == null ? 0 : shared.riders();
      trace.ended(step(), PlanLine.tokens(piece.piece().range()), granted, answer, riders);
    }
  }

  private String step() {
    return ReadTrace.PIECE + (piece.number() + 1);
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
    if (listener.takesErrors() && error != ErrorCode.UNPREPARED) {
      listener.error(frame);
      return;
    }
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
    if (!piece.isCancelled() && listener.takesErrors()) {
      failed(new Failure.Unknown("Operation timed out: the node did not answer in time"));
    } else if (!piece.isCancelled()) {
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
