package io.sluice.exchange.range;

import io.sluice.decide.plan.ScatterPlan.Piece;
import io.sluice.decide.progress.PageProgress;
import io.sluice.decide.progress.PageProgress.AfterTimeout;
import io.sluice.decide.share.ShareRule;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.execute.merge.Merger.Answered;
import io.sluice.fleet.HomeChoice;
import io.sluice.link.LinkKey;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.statement.Statement;
import io.sluice.wire.ForwardedPiece;
import io.sluice.wire.Frame;
import io.sluice.wire.PreparedId;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One piece of a page, with its requests. Not safe for several threads: its client's lane. */
final class PieceRead {

  /**
   * The common properties of pieces that may share a scan. Such pieces differ in range and rows
   * only.
   *
   * @param link the key of their links
   * @param request their request without range and rows
   */
  record ShareKey(LinkKey link, ByteBuffer request) {}

  private final PageContext page;
  private final PageProgress progress;
  private final PieceSizing sizing;
  private final PieceListener listener;
  private final int number;
  private final DensityFeedback feedback;
  private PieceAttempt attempt;

  /** The paging state of the next request; null at the beginning of the piece. */
  private @Nullable ByteBuffer inner;

  /** The rows to ask for; 0 to decide when a node has a free slot. */
  private int wanted;

  private boolean cancelled;
  private boolean parked;
  private long bytesToCome;

  /** The node of the last answer; null before the first. */
  private @Nullable NodeId answeredBy;

  private long answeredAt;

  /**
   * Creates a piece that {@link #submit} queues.
   *
   * @param inner the paging state with which an earlier page ended inside this piece; null if none
   *     did
   */
  PieceRead(
      PageContext page,
      PageProgress progress,
      PieceSizing sizing,
      PieceListener listener,
      int number,
      @Nullable ByteBuffer inner) {
    this.page = page;
    this.progress = progress;
    this.sizing = sizing;
    this.listener = listener;
    this.number = number;
    this.inner = inner;
    this.attempt = new PieceAttempt(page, this, listener);
    Token reached = inner == null ? null : page.page().reached(page.partitioner());
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
    return bytesToCome;
  }

  /** Queues the piece for the first time. */
  void submit() {
    attempt.submit();
  }

  /** Asks for more rows, from the end of the last answer. */
  void ask(@Nullable ByteBuffer from, int rowsWanted) {
    inner = from;
    wanted = sizing.pageSize(rowsWanted);
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
      bytesToCome = 0;
      attempt.cancel();
    }
  }

  /** Cancels the piece, including a request that a node has begun. */
  void abandon() {
    cancelled = true;
    bytesToCome = 0;
    attempt.abandon();
  }

  /** Whether a request is in flight. */
  boolean isSent() {
    return attempt.isSent();
  }

  /**
   * Returns the rows to ask for when the piece gets a slot. Returns 0 when no rows are missing, and
   * without memory for them; {@link #resumeIfParked} then queues the piece again.
   */
  int reserveRows() {
    int now = rowsNow();
    if (now == 0) {
      page.split().meters().spared();
      return 0;
    }
    long bytes = sizing.bytes(number, now);
    parked = !sizing.take(number, bytes);
    if (parked) {
      return 0;
    }
    bytesToCome = bytes;
    return now;
  }

  private int rowsNow() {
    return wanted == 0 ? sizing.firstRows(number) : wanted;
  }

  /**
   * Queues a parked piece again if memory is free now, or if the piece is the next in order.
   *
   * @param promised bytes for which other pieces were resumed just now
   * @return bytes that the piece will take with its slot; 0 when they are taken, or when it stays
   *     parked
   */
  long resumeIfParked(long promised) {
    if (!parked || cancelled) {
      return 0;
    }
    long bytes = sizing.bytes(number, rowsNow());
    if (!sizing.hasRoom(number, bytes, promised)) {
      return 0;
    }
    parked = false;
    attempt.submit();
    return bytesToCome > 0 ? 0 : bytes;
  }

  /** Records the node and the time of an answer. */
  void answeredBy(NodeId node) {
    answeredBy = node;
    answeredAt = page.context().clock().nanoTime();
  }

  /** Counts how long the last answer has waited for the end of the page. */
  void merged(long now) {
    page.context().meters().reads().merged(answeredBy, now - answeredAt);
  }

  /** Expects no further bytes: the answer is here, or the attempt has failed. */
  void clearBytesToCome() {
    bytesToCome = 0;
  }

  /**
   * Returns the scan that other pieces may share while this piece waits. Returns null if none may,
   * for example when the piece continues from a paging state.
   */
  ShareRule.@Nullable Scan shareable() {
    int rowsNow = inner != null || !page.mayShare() ? 0 : rowsNow();
    return rowsNow == 0 ? null : new ShareRule.Scan(piece().range(), rowsNow);
  }

  /** Returns the key that other pieces must have to share a scan. */
  ShareKey shareKey() {
    return new ShareKey(page.page().linkKey(), requests().commonPart(piece()));
  }

  /** Returns the rule that chooses the pieces to share a scan with. */
  ShareRule shareRule() {
    return sizing.shareRule();
  }

  private PieceRequests requests() {
    return new PieceRequests(page.page(), page.plan(), page.template());
  }

  /** Creates the request for {@code rowsNow} rows of the piece. */
  Frame frame(Node node, int rowsNow, boolean asText) {
    return frame(piece(), node, rowsNow, asText);
  }

  /** Creates the request for a shared scan. */
  Frame frame(ShareRule.Scan whole, Node node, boolean asText) {
    Piece piece = new Piece(whole.range(), piece().replicas(), whole.rows());
    return frame(piece, node, whole.rows(), asText);
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
            Math.max(0, page.context().clock().nanoTime() - page.query().arrivalNanos()),
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
            inner,
            piece().rows(),
            place)
        .with(page.page().frame());
  }

  private Frame frame(Piece piece, Node node, int rowsNow, boolean asText) {
    PieceRequests frames = requests();
    PreparedText text = frames.text(piece);
    PreparedId id =
        asText || !page.template().executes()
            ? null
            : page.split().preparer().id(text, page.lane(), node, page.page().linkKey());
    Frame made = frames.frame(piece, id, rowsNow, inner);
    return page.context().hinted(made, node.id(), sizing.hint());
  }

  /** Forgets the id of the statement after a node that prepared it does not know it. */
  void forgetPrepared() {
    page.split().preparer().forget(requests().text(piece()));
  }
}
