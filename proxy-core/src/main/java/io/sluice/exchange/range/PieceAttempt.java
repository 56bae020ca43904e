package io.sluice.exchange.range;

import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.plan.PlanLine;
import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.decide.progress.PageProgress.AfterTimeout;
import io.sluice.exchange.QueuedRead;
import io.sluice.exchange.ReadTrace;
import io.sluice.exchange.ReplicaRead;
import io.sluice.execute.reply.Failure;
import io.sluice.fleet.HomeChoice;
import io.sluice.meter.HomeMeters.Fallback;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
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
 * One request for a piece, at its home proxy or at one replica after another, until an answer or
 * the client's error. Not safe for several threads: its client's lane.
 */
final class PieceAttempt implements ReplicaRead.Listener, HomeListener {

  private final PageContext page;
  private final PieceRead piece;
  private final PieceListener listener;
  private final ReplicaRead replicas;
  private boolean asText;
  private boolean alone;

  /** Whether this proxy contacts the node itself, even if the node has another home proxy. */
  private boolean direct;

  private @Nullable HomeAttempt homeAttempt;
  private long sentAt;
  private @Nullable SharedScan shared;
  private Timer.@Nullable Timeout answerTimeout;

  /** Creates an attempt. {@link #submit} starts it. */
  PieceAttempt(PageContext page, PieceRead piece, PieceListener listener) {
    this.page = page;
    this.piece = piece;
    this.listener = listener;
    this.replicas =
        new ReplicaRead(page.context(), page.page().client(), page.page().linkKey(), this);
  }

  /**
   * Queues the piece at one of its replicas, or sends it to its home proxy. Does nothing when the
   * page is over: an earlier piece of the wave may have been refused at once.
   */
  void submit() {
    if (!isWanted()) {
      return;
    }
    HomeChoice choice = direct || alone ? null : page.home(piece.piece());
    if (choice instanceof HomeChoice.Away to) {
      send(to);
      return;
    }
    if (choice instanceof HomeChoice.Instead) {
      fallBack(Fallback.AVOIDED);
    }
    replicas.start();
  }

  private void send(HomeChoice.Away to) {
    if (waitsForClient()) {
      page.page().client().whenDrained(() -> replicas.guarded(this::submit));
      return;
    }
    long left = page.leftNanos() / 2;
    int rows = left <= 0 ? 0 : piece.reserveRows();
    if (rows == 0) {
      return;
    }
    HomeAttempt next = new HomeAttempt(homes(), to, this);
    homeAttempt = next;
    sentAt = page.context().clock().nanoTime();
    Frame frame = piece.forwarded(to, rows, left);
    next.start(page.lane(), page.page().linkKey(), frame, left);
  }

  private PieceHomes homes() {
    return Objects.requireNonNull(page.split().homes());
  }

  @Override
  public void onHomeAnswer(HomeChoice.Away there, Frame answer, ForwardedPiece.Receipt receipt) {
    homeAttempt = null;
    direct = true;
    replicas.markTried(there.node());
    long sentByHome = sentAt + TimeUnit.MICROSECONDS.toNanos(receipt.queuedMicros());
    listener.sent(sentByHome);
    ReadTrace trace = listener.trace();
    if (trace != null) {
      String range = PlanLine.tokens(piece.piece().range());
      trace.endedAtHome(step(), there, range, new ReadTrace.Times(sentAt, sentByHome), answer);
    }
    answered(answer, Answers.errorCode(answer));
  }

  @Override
  public void onHomeFallback(Fallback reason) {
    homeAttempt = null;
    piece.clearBytesToCome();
    if (isWanted()) {
      fallBack(reason);
      replicas.guarded(replicas::start);
    }
  }

  /** Sends this piece to its node directly. Later pieces go to their home proxy again. */
  private void fallBack(Fallback reason) {
    direct = true;
    homes().meters().fellBack(reason);
  }

  @Override
  public void onHomeFailure(Throwable cause) {
    homeAttempt = null;
    failed(Failure.internal(cause));
  }

  /** Cancels the attempt. A read that already waits or runs at the home proxy runs to its end. */
  void cancel() {
    replicas.cancel();
  }

  /** Cancels the attempt, including a request that a node has begun. */
  void abandon() {
    replicas.abandon();
    if (homeAttempt != null) {
      homeAttempt.abandon();
      homeAttempt = null;
    }
  }

  boolean isSent() {
    return homeAttempt != null || replicas.isSent();
  }

  @Override
  public Ring ring() {
    return page.context().ring(page.page().statement());
  }

  @Override
  public List<NodeId> replicas() {
    return page.nodes(piece.piece());
  }

  @Override
  public QueuedRead queued(List<NodeId> nodes) {
    return new QueuedPiece(this, replicas, page, piece, homedHere(nodes), !alone);
  }

  /** Returns those of {@code nodes} whose home is this proxy, or all of them if there are none. */
  private List<NodeId> homedHere(List<NodeId> nodes) {
    boolean any = direct || alone || page.split().homes() == null;
    if (any || !(page.home(piece.piece()) instanceof HomeChoice.Here here)) {
      return nodes;
    }
    List<NodeId> both = nodes.stream().filter(here.nodes()::contains).toList();
    return both.isEmpty() ? nodes : both;
  }

  /** Whether the piece is still needed: the page may have failed with another piece. */
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
    int rows = piece.reserveRows();
    if (rows == 0) {
      return null;
    }
    shared = ((QueuedPiece) granted).takeAlong(rows);
    Frame frame =
        shared == null
            ? piece.frame(node, rows, asText)
            : piece.frame(shared.whole(), node, asText);
    page.split().meters().sent();
    listener.sent(page.context().clock().nanoTime());
    answerTimeout =
        page.lane()
            .schedule(page.context().rangeTimeoutNanos(), () -> replicas.guarded(this::onTimeout));
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
    dissolveSharedScan();
  }

  private void ended() {
    piece.clearBytesToCome();
    if (answerTimeout != null) {
      answerTimeout.cancel();
      answerTimeout = null;
    }
  }

  @Override
  public void answered(Frame frame, int error) {
    ended();
    if (shared != null) {
      distribute(error < 0, frame);
    } else if (piece.isCancelled()) {
      frame.release();
    } else if (error < 0) {
      listener.answered(piece.number(), frame);
    } else {
      onNodeError(error, frame);
    }
  }

  private void distribute(boolean hasRows, Frame frame) {
    SharedScan answered = shared;
    Frame own = null;
    if (answered != null && hasRows) {
      shared = null;
      MergeRule.Concatenate rule = (MergeRule.Concatenate) page.plan().merge();
      own = answered.answered(frame, rule, page.partitioner(), page.split().meters());
    }
    dissolveSharedScan();
    frame.release();
    useSharedRows(own);
  }

  /**
   * Dissolves the shared scan. Each of its pieces is then read alone, because an error may be due
   * to the size.
   */
  private void dissolveSharedScan() {
    SharedScan over = shared;
    shared = null;
    if (over != null) {
      over.failed();
      alone = true;
    }
  }

  /** Uses the rows of a shared answer for this piece. Without rows, the piece is read alone. */
  private void useSharedRows(@Nullable Frame own) {
    if (own != null && !piece.isCancelled()) {
      listener.answered(piece.number(), own);
    } else if (own != null) {
      own.release();
    } else if (!piece.isCancelled()) {
      alone = true;
      submit();
    }
  }

  /**
   * Takes the rows that another piece has read for this one. Without an answer, the piece is queued
   * again.
   */
  void ride(QueuedPiece given, @Nullable Frame own) {
    if (!replicas.isCurrentPlace(given) || !isWanted()) {
      if (own != null) {
        own.release();
      }
    } else if (own != null && !given.hasRoom()) {
      own.release();
      postpone(given);
    } else {
      if (own != null) {
        listener.sent(page.context().clock().nanoTime());
      }
      ReadTrace trace = listener.trace();
      if (trace != null && own != null) {
        trace.shared(step(), PlanLine.tokens(piece.piece().range()), given, own);
      }
      replicas.cancel();
      useSharedRows(own);
    }
  }

  /** Queues the piece again once its client has caught up. */
  void postpone(QueuedPiece given) {
    replicas.afterDrain(given);
  }

  /** Handles an error that a node has answered. */
  private void onNodeError(int error, Frame frame) {
    if (listener.takesErrors() && error != ErrorCode.UNPREPARED) {
      listener.error(frame);
      return;
    }
    switch (error) {
      case ErrorCode.READ_TIMEOUT -> timedOut(frame);
      case ErrorCode.OVERLOADED, ErrorCode.IS_BOOTSTRAPPING ->
          releaseOrReport(replicas.afterShedding(), frame);
      case ErrorCode.UNAVAILABLE, ErrorCode.READ_FAILURE, ErrorCode.SERVER_ERROR ->
          releaseOrReport(replicas.toAnotherReplica(), frame);
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

  private void releaseOrReport(boolean failedOver, Frame error) {
    if (failedOver) {
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

  private void onTimeout() {
    answerTimeout = null;
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
