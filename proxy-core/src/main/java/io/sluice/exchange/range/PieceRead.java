package io.sluice.exchange.range;

import io.sluice.decide.plan.ScatterPlan.Piece;
import io.sluice.decide.progress.PageProgress;
import io.sluice.decide.progress.PageProgress.AfterTimeout;
import io.sluice.decide.share.ShareRule;
import io.sluice.execute.merge.Merger.Answered;
import io.sluice.fleet.HomeChoice;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.statement.Statement;
import io.sluice.wire.ForwardedPiece;
import io.sluice.wire.Frame;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One piece of a page, with its requests. Not safe for several threads: its client's lane. */
final class PieceRead {

  private final PageContext page;
  private final PageProgress progress;
  private final PieceSizing sizing;
  private final PieceRows rows;
  private final PieceListener listener;
  private final int number;
  private final DensityFeedback feedback;
  private PieceAttempt attempt;

  /** The paging state of the next request; null at the beginning of the piece. */
  private @Nullable ByteBuffer nodeState;

  private boolean cancelled;

  /** The last answer of a node; null before the first. */
  private @Nullable LastAnswer lastAnswer;

  /**
   * The last answer to a piece.
   *
   * @param by the node that has answered
   * @param atNanos when it came, on the path's clock
   */
  record LastAnswer(NodeId by, long atNanos) {}

  /**
   * Creates a piece that {@link #submit} queues.
   *
   * @param nodeState the paging state with which an earlier page ended inside this piece; null if
   *     none did
   */
  PieceRead(
      PageContext page,
      PageProgress progress,
      PieceSizing sizing,
      PieceListener listener,
      int number,
      @Nullable ByteBuffer nodeState) {
    this.page = page;
    this.progress = progress;
    this.sizing = sizing;
    this.rows = new PieceRows(sizing, number);
    this.listener = listener;
    this.number = number;
    this.nodeState = nodeState;
    this.attempt = new PieceAttempt(page, this, listener);
    Token reached = nodeState == null ? null : page.page().reached(page.partitioner());
    this.feedback = new DensityFeedback(reached == null ? piece().range().after() : reached);
  }

  int number() {
    return number;
  }

  /** Returns the token range and its replicas. */
  Piece piece() {
    return progress.request(number).piece();
  }

  /** Estimates the rows that a node reads for the piece. */
  double expectedRows() {
    return page.expectedRows(progress.request(number));
  }

  boolean isCancelled() {
    return cancelled;
  }

  /** Returns the estimated size of the expected answer. */
  long bytesToCome() {
    return rows.bytesToCome();
  }

  /** Queues the piece for the first time. */
  void submit() {
    attempt.submit();
  }

  /** Asks for more rows, from the end of the last answer. */
  void ask(@Nullable ByteBuffer from, int rowsWanted) {
    nodeState = from;
    rows.want(rowsWanted);
    submitAgain();
  }

  /** Queues the piece with a new attempt, at any of its replicas. */
  void submitAgain() {
    attempt = new PieceAttempt(page, this, listener);
    attempt.submit();
  }

  /** Returns the next step after a timeout. */
  AfterTimeout timedOut() {
    return progress.timedOut(number);
  }

  /** Learns densities from an answer. */
  void learn(Answered what) {
    if (!page.folds()) {
      feedback.learn(what, piece().range().upTo(), page.density(), page.partitioner());
    }
  }

  /** Cancels the piece. */
  void cancel() {
    if (!cancelled) {
      cancelled = true;
      rows.clear();
      attempt.cancel();
    }
  }

  /** Cancels the piece, including a request that a node has begun. */
  void abandon() {
    cancelled = true;
    rows.clear();
    attempt.abandon();
  }

  /** Whether a request is in flight. */
  boolean isSent() {
    return attempt.isSent();
  }

  /**
   * Returns the rows to ask for when the piece gets a slot. Returns 0 when no rows are missing, and
   * without memory for them; {@link #resumeIfParked} then queues the piece again.
   *
   * @param away whether the piece will wait at another proxy
   */
  int reserveRows(boolean away) {
    int now = rows.nextRows();
    if (now == 0) {
      page.split().meters().spared();
      return 0;
    }
    boolean reserved = away ? rows.reserveAway(now) : rows.reserve(now);
    return reserved ? now : 0;
  }

  /**
   * Queues a parked piece again if memory is free now, or if the piece is the next in order.
   *
   * @param promised bytes for which other pieces were resumed just now
   * @return bytes that the piece will take with its slot; 0 when they are taken, or when it stays
   *     parked
   */
  long resumeIfParked(long promised) {
    long bytes = cancelled ? PieceRows.NOT_RESUMED : rows.resume(promised);
    if (bytes == PieceRows.NOT_RESUMED) {
      return 0;
    }
    attempt.submit();
    return rows.bytesToCome() > 0 ? 0 : bytes;
  }

  /** Records the node and the time of an answer. */
  void answeredBy(NodeId node) {
    lastAnswer = new LastAnswer(node, page.context().clock().nanoTime());
  }

  /** Returns the last answer of a node; null before the first. */
  @Nullable LastAnswer lastAnswer() {
    return lastAnswer;
  }

  /** Expects no further bytes: the answer is here, or the attempt has failed. */
  void clearBytesToCome() {
    rows.clear();
  }

  /**
   * Returns the scan that other pieces may share while this piece waits. Returns null if none may,
   * for example when the piece continues from a paging state.
   */
  ShareRule.@Nullable Scan shareable() {
    int rowsNow = nodeState != null || !page.mayShare() ? 0 : rows.nextRows();
    return rowsNow == 0 ? null : new ShareRule.Scan(piece().range(), rowsNow);
  }

  /** Returns the key that other pieces must have to share a scan. */
  PieceRequests.ShareKey shareKey() {
    return page.requests().shareKey(piece());
  }

  /** Returns the rule that chooses the pieces to share a scan with. */
  ShareRule shareRule() {
    return sizing.shareRule();
  }

  /** Creates the request for {@code rowsNow} rows of the piece. */
  Frame frame(Node node, int rowsNow, boolean asText) {
    Frame made = page.requests().frame(piece(), node, rowsNow, nodeState, asText);
    return page.context().hinted(made, node.id(), sizing.hint());
  }

  /** Creates the request for a shared scan. */
  Frame frame(ShareRule.Scan whole, Node node, boolean asText) {
    Piece piece = new Piece(whole.range(), piece().replicas(), whole.rows());
    Frame made = page.requests().frame(piece, node, whole.rows(), nodeState, asText);
    return page.context().hinted(made, node.id(), sizing.hint());
  }

  /**
   * Creates the request for the piece at the home proxy of a node.
   *
   * @param leftNanos the time that it may take there
   */
  Frame forwarded(HomeChoice.Away to, int rowsNow, long leftNanos) {
    TokenRange range = piece().range();
    Token after = range.after();
    Token upTo = range.upTo();
    Statement statement = page.page().statement();
    ForwardedPiece.Place place =
        new ForwardedPiece.Place(
            page.agedNanos(),
            leftNanos,
            progress.rowsLeft(),
            progress.readsLeft(),
            statement.tenant(page.page().client()),
            statement.weight(),
            statement.isLast());
    return new ForwardedPiece(
            to.home().secret(),
            to.node().hostId(),
            after == null ? null : after.toValue(),
            upTo == null ? null : upTo.toValue(),
            rowsNow,
            nodeState,
            piece().rows(),
            place)
        .with(page.page().frame());
  }

  /** Forgets the id of the statement after a node that prepared it does not know it. */
  void forgetPrepared() {
    page.requests().forgetPrepared(piece());
  }
}
