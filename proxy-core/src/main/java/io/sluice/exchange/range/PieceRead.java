package io.sluice.exchange.range;

import io.sluice.decide.plan.Piece;
import io.sluice.decide.progress.AfterTimeout;
import io.sluice.decide.progress.PageProgress;
import io.sluice.decide.share.ShareRule;
import io.sluice.execute.dispatch.PreparedText;
import io.sluice.execute.merge.Answered;
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

/**
 * One piece of a page, and the requests for it. Not safe for several threads: its client's lane.
 */
final class PieceRead {

  /**
   * The common properties of pieces that may be read together: they differ in range and rows only.
   *
   * @param link the links that they use
   * @param request the rest of their requests
   */
  record ShareKey(LinkKey link, ByteBuffer request) {}

  private final PageContext page;
  private final PageProgress progress;
  private final PieceSizing sizing;
  private final PieceListener listener;
  private final int number;
  private final DensityFeedback feedback;
  private PieceAttempt attempt;

  /** Where the next answer begins; null at the piece's own beginning. */
  private @Nullable ByteBuffer inner;

  /** Rows to ask for; 0 when that is found out once a node has room for it. */
  private int wanted;

  private boolean cancelled;
  private boolean parked;
  private long bytesToCome;

  /** The node that has answered last, and when; null before. */
  private @Nullable NodeId answeredBy;

  private long answeredAt;

  /**
   * Nothing is asked yet.
   *
   * @param inner where an earlier page ended inside it; null otherwise
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

  /** The token range and its owners. */
  Piece piece() {
    return progress.request(number).piece();
  }

  /** Rows that a node will probably read for it. */
  double expectedRows() {
    return page.expectedRows(progress.request(number));
  }

  boolean isCancelled() {
    return cancelled;
  }

  /** Memory that its answer will take, by estimate. */
  long bytesToCome() {
    return bytesToCome;
  }

  /** Asks it for the first time. */
  void submit() {
    attempt.submit();
  }

  /** Asks for more, from where the last answer ended. */
  void ask(@Nullable ByteBuffer from, int rowsWanted) {
    inner = from;
    wanted = sizing.pageSize(rowsWanted);
    submitAgain();
  }

  /** Asks for it with a new attempt, at any of its replicas. */
  void submitAgain() {
    attempt = new PieceAttempt(page, this, listener);
    attempt.submit();
  }

  /** It took too long. */
  AfterTimeout timedOut() {
    return progress.timedOut(number);
  }

  /** Learns from an answer how much lies where. */
  void learn(Answered what) {
    if (!page.folds()) {
      feedback.heard(what, piece().range().upTo(), page.density(), page.partitioner());
    }
  }

  /** Nothing more of it is wanted. */
  void cancel() {
    if (!cancelled) {
      cancelled = true;
      bytesToCome = 0;
      attempt.cancel();
    }
  }

  /** Nothing more of it is wanted, not even by the node that is at work on it. */
  void abandon() {
    cancelled = true;
    bytesToCome = 0;
    attempt.abandon();
  }

  /** Whether a node is at work on it. */
  boolean isSent() {
    return attempt.isSent();
  }

  /** When it was first sent; {@code now} when it has waited until now. */
  long sentNanos(long now) {
    return attempt.sentNanos(now);
  }

  /**
   * Its turn has come: the rows to ask for now. 0 when others have returned all that was missing,
   * and when there is no memory for them; then {@link #resumeIfParked} asks again.
   */
  int beginWith() {
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
   * Memory may have become free, or it may be the next in order now: only then it waits for another
   * turn, of which nothing would come otherwise.
   *
   * @param promised bytes for which others have begun to wait just now
   * @return bytes that it will take at its turn; 0 when it has taken them, or does not go on
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

  /** A node has answered it. */
  void answeredBy(NodeId node) {
    answeredBy = node;
    answeredAt = page.context().clock().nanoTime();
  }

  /** Counts how long its answer has waited for the end of the page. */
  void merged(long now) {
    page.context().meters().reads().merged(answeredBy, now - answeredAt);
  }

  /** The answer is here, or none will come. */
  void nothingToCome() {
    bytesToCome = 0;
  }

  /**
   * What it asks for as long as it waits, if others may be read together with it; null if not: what
   * goes on where a node's answer ended is its own.
   */
  ShareRule.@Nullable Scan shareable() {
    int rowsNow = inner != null || !page.mayShare() ? 0 : rowsNow();
    return rowsNow == 0 ? null : new ShareRule.Scan(piece().range(), rowsNow);
  }

  /** What others must ask for, too, to be read together with it. */
  ShareKey shareKey() {
    return new ShareKey(page.page().linkKey(), requests().alike(piece()));
  }

  /** The rule by which other pieces are read together with it. */
  ShareRule shareRule() {
    return sizing.shareRule();
  }

  private PieceRequests requests() {
    return new PieceRequests(page.page(), page.plan(), page.template());
  }

  /** The request for so many rows of itself. */
  Frame frame(Node node, int rowsNow, boolean asText) {
    return frame(piece(), node, rowsNow, asText);
  }

  /** The request for what it is read together with. */
  Frame frame(ShareRule.Scan whole, Node node, boolean asText) {
    Piece piece = new Piece(whole.range(), piece().replicas(), whole.rows());
    return frame(piece, node, whole.rows(), asText);
  }

  /**
   * The request for it at the home proxy of a node.
   *
   * @param leftNanos how long it may take there
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

  /** A node does not know its prepared text, though it was prepared there. */
  void forgetPrepared() {
    page.split().preparer().forget(requests().text(piece()));
  }
}
