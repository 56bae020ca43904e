package io.sluice.exchange.range;

import io.sluice.accept.Client;
import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.decide.progress.PageProgress.AfterTimeout;
import io.sluice.decide.share.ShareRule;
import io.sluice.exchange.ClientPause;
import io.sluice.exchange.QueuedRead;
import io.sluice.exchange.ReadTrace;
import io.sluice.exchange.ReplicaRead;
import io.sluice.execute.reply.Failure;
import io.sluice.fleet.HomeChoice.Away;
import io.sluice.meter.HomeMeters.Fallback;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.time.Timer;
import io.sluice.wire.Answers;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import java.util.List;
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
  private final HomeRoute home;
  private final PieceSharing sharing;
  private final PieceTrace trace;
  private final ClientPause pause;
  private boolean asText;
  private Timer.@Nullable Timeout answerTimeout;

  /** Creates an attempt. {@link #submit} starts it. */
  PieceAttempt(PageContext page, PieceRead piece, PieceListener listener) {
    this.page = page;
    this.piece = piece;
    this.listener = listener;
    this.replicas =
        new ReplicaRead(page.context(), page.page().client(), page.page().linkKey(), this);
    this.home = new HomeRoute(page, this);
    this.sharing = new PieceSharing(page, listener);
    this.trace = new PieceTrace(listener, piece.number());
    this.pause = new ClientPause(page.page().client());
  }

  /**
   * Queues the piece at one of its replicas, or sends it to its home proxy. Does nothing when the
   * page is over: an earlier piece of the wave may have been refused at once.
   */
  void submit() {
    if (!isWanted()) {
      return;
    }
    // The other half is for the node itself, in case the home does not answer.
    long half = Math.max(0, listener.leftNanos() / 2);
    Away to = sharing.isAlone() ? null : home.away(piece.piece(), half);
    if (to == null) {
      replicas.start();
    } else {
      send(to, half);
    }
  }

  private void send(Away to, long timeoutNanos) {
    if (waitsForClient()) {
      pause.begin(() -> replicas.guarded(this::submit));
      return;
    }
    int rows = timeoutNanos == 0 ? 0 : piece.reserveRows(true);
    if (rows != 0) {
      home.send(to, piece.forwarded(to, rows, timeoutNanos), timeoutNanos);
    }
  }

  @Override
  public void onHomeAnswer(Away there, Frame answer, ReadTrace.Times times) {
    replicas.markTried(there.node());
    listener.sent(times.sentNanos());
    trace.endedAtHome(piece.piece(), there, times, answer);
    answered(answer, Answers.errorCode(answer));
  }

  @Override
  public void onHomeFallback(Fallback reason) {
    piece.clearBytesToCome();
    if (isWanted()) {
      home.fellBack(reason);
      replicas.guarded(replicas::start);
    }
  }

  /** Cancels the attempt. A read that already waits or runs at the home proxy runs to its end. */
  void cancel() {
    pause.end();
    sharing.endRide();
    replicas.cancel();
  }

  /** Cancels the attempt, including a request that a node has begun. */
  void abandon() {
    pause.end();
    sharing.endRide();
    replicas.abandon();
    home.abandon();
  }

  boolean isSent() {
    return home.isSent() || replicas.isSent();
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
    boolean alone = sharing.isAlone();
    List<NodeId> here = alone ? nodes : home.homedHere(piece.piece(), nodes);
    return new QueuedPiece(this, replicas, page, piece, here, sharing);
  }

  /** Whether the piece is still needed: the page may have failed with another piece. */
  @Override
  public boolean isWanted() {
    return !piece.isCancelled() && listener.isWanted();
  }

  @Override
  public boolean waitsForClient() {
    Client client = page.page().client();
    return listener.isForProxy() ? client.isFull() : client.isCongested();
  }

  @Override
  public @Nullable Frame frame(Node node, QueuedRead granted) {
    int rows = piece.reserveRows(false);
    if (rows == 0) {
      return null;
    }
    ShareRule.Scan shared = sharing.begin(((QueuedPiece) granted).takeAlong(rows));
    Frame frame =
        shared == null ? piece.frame(node, rows, asText) : piece.frame(shared, node, asText);
    page.split().meters().sent();
    listener.sent(page.context().clock().nanoTime());
    answerTimeout =
        page.lane().schedule(page.nodeTimeoutNanos(), () -> replicas.guarded(this::onTimeout));
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
    trace.ended(piece.piece(), granted, answer, sharing.riders());
  }

  @Override
  public void attemptLost() {
    ended();
    sharing.failed();
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
    if (sharing.isShared()) {
      Frame own = error < 0 ? sharing.answered(frame) : null;
      sharing.failed();
      frame.release();
      useSharedRows(own);
    } else if (piece.isCancelled()) {
      frame.release();
    } else if (error < 0) {
      listener.answered(piece.number(), frame);
    } else {
      onNodeError(error, frame);
    }
  }

  /** Uses the rows of a shared answer for this piece. Without rows, the piece is read alone. */
  private void useSharedRows(@Nullable Frame own) {
    if (own != null && !piece.isCancelled()) {
      listener.answered(piece.number(), own);
    } else if (own != null) {
      own.release();
    } else if (!piece.isCancelled()) {
      sharing.readAlone();
      submit();
    }
  }

  /**
   * Takes the rows that another piece has read for this one. Without an answer, the piece is queued
   * again. Does nothing after a ride that has ended.
   */
  void ride(QueuedPiece given, @Nullable Frame own) {
    boolean rides = replicas.isCurrentPlace(given);
    if (rides) {
      sharing.endRide();
    }
    if (!rides || !isWanted()) {
      if (own != null) {
        own.release();
      }
    } else if (own != null && !given.hasRoom()) {
      own.release();
      replicas.afterDrain(given);
    } else {
      if (own != null) {
        listener.sent(page.context().clock().nanoTime());
        trace.shared(piece.piece(), given, own);
      }
      replicas.cancel();
      useSharedRows(own);
    }
  }

  /** Handles an error that a node has answered. */
  private void onNodeError(int error, Frame frame) {
    if (listener.takesErrors() && error != ErrorCode.UNPREPARED) {
      listener.failed(piece.number(), new PieceError.OfNode(frame));
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
          listener.statementRefused(piece.number(), frame);
        } else {
          frame.release();
          piece.forgetPrepared();
          asText = true;
          submit();
        }
      }
      default -> listener.statementRefused(piece.number(), frame);
    }
  }

  private void releaseOrReport(boolean failedOver, Frame error) {
    if (failedOver) {
      error.release();
    } else {
      listener.failed(piece.number(), new PieceError.OfNode(error));
    }
  }

  private void timedOut(@Nullable Frame error) {
    AfterTimeout next = piece.timedOut();
    if (next instanceof AfterTimeout.GiveUp) {
      if (error == null) {
        failed(new Failure.Unknown("Operation timed out: no node answered within the timeout"));
      } else {
        listener.failed(piece.number(), new PieceError.OfNode(error));
      }
      return;
    }
    if (error != null) {
      error.release();
      listener.timeoutAnswered();
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
      listener.failed(piece.number(), new PieceError.OfProxy(failure));
    }
  }
}
