package io.sluice.exchange.range;

import io.sluice.decide.plan.Piece;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.share.ShareRule;
import io.sluice.execute.dispatch.PreparedText;
import io.sluice.execute.merge.Answered;
import io.sluice.link.LinkKey;
import io.sluice.ring.Node;
import io.sluice.ring.Token;
import io.sluice.wire.Frame;
import io.sluice.wire.PreparedId;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One piece of a page: how much it is asked for, and what has come of it. Used on its client's lane
 * only.
 */
final class PieceRead {

  /**
   * What parts must have in common to be read together: they differ in where and how much only.
   *
   * @param link whose links they would use
   * @param request all else that their requests say
   */
  record ShareKey(LinkKey link, ByteBuffer request) {}

  private final ScatterRead read;
  private final int number;
  private final DensityFeedback lesson;
  private SubRequest request;
  private PieceAttempt attempt;

  /** Where the next answer begins; null at the piece's own beginning. */
  private @Nullable ByteBuffer inner;

  /** Rows to ask for; 0 when that is found out when its turn has come. */
  private int wanted;

  private int rows;
  private boolean open = true;
  private boolean cancelled;
  private boolean parked;
  private long bytesToCome;

  PieceRead(ScatterRead read, int number, SubRequest request, @Nullable ByteBuffer inner) {
    this.read = read;
    this.number = number;
    this.request = request;
    this.inner = inner;
    this.attempt = new PieceAttempt(read, this, false);
    Token reached = inner == null ? null : read.page().reached(read.partitioner());
    this.lesson = new DensityFeedback(reached == null ? request.piece().range().after() : reached);
  }

  int number() {
    return number;
  }

  SubRequest request() {
    return request;
  }

  /** Rows that it has returned for this page. */
  int rows() {
    return rows;
  }

  /** Rows that it was thought to have. */
  double estimate() {
    return request.piece().rows();
  }

  /** Whether rows of it may still come. */
  boolean isOpen() {
    return open && !cancelled;
  }

  boolean isCancelled() {
    return cancelled;
  }

  /** Whether nothing of it was read, on this page or an earlier one. */
  boolean isUntouched() {
    return inner == null && rows == 0;
  }

  /** What its answers tell of how much lies where. */
  DensityFeedback lesson() {
    return lesson;
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
    wanted = read.pageSize(rowsWanted < 0 ? SubRequest.ALL : rowsWanted);
    ask(new PieceAttempt(read, this, false));
  }

  /** It took too long, and is smaller from now on; asks for it once more. */
  void narrow(SubRequest part) {
    request = part;
    submitForTheLastTime();
  }

  /** Asks it for the first time, being what was cut off another. */
  void submitForTheLastTime() {
    ask(new PieceAttempt(read, this, true));
  }

  private void ask(PieceAttempt next) {
    attempt = next;
    next.submit();
  }

  /** Nothing more of it is wanted. */
  void cancel() {
    if (!cancelled) {
      cancelled = true;
      bytesToCome = 0;
      attempt.cancel();
    }
  }

  /**
   * Its turn has come: the rows to ask for now. 0 when others have returned all that was missing,
   * and when there is no memory for them; then {@link #resumeIfParked} asks again.
   */
  int beginWith() {
    int now = rowsNow();
    if (now == 0) {
      read.split().meters().spared();
      return 0;
    }
    long bytes = read.bytesOf(this, now);
    parked = !read.mayHold(this, bytes);
    if (parked) {
      return 0;
    }
    bytesToCome = bytes;
    return now;
  }

  private int rowsNow() {
    return wanted == 0 ? read.firstRows(this) : wanted;
  }

  /** Memory has become free, or it is the next in order now. */
  void resumeIfParked() {
    if (parked && !cancelled) {
      parked = false;
      attempt.submit();
    }
  }

  /** The answer is here, or none will come. */
  void nothingToCome() {
    bytesToCome = 0;
  }

  /** An answer of it was used. */
  void took(Answered what) {
    rows += what.rows();
    open = !what.complete();
  }

  /**
   * What it asks for as long as it waits, if others may be read together with it; null if not: what
   * goes on where a node's answer ended is its own.
   */
  ShareRule.@Nullable Part shareable() {
    int rowsNow = inner != null || !read.mayShare() ? 0 : rowsNow();
    return rowsNow == 0 ? null : new ShareRule.Part(request.piece().range(), rowsNow);
  }

  /** What others must ask for, too, to be read together with it. */
  ShareKey shareKey() {
    PieceRequests frames = new PieceRequests(read.page(), read.plan(), read.template());
    return new ShareKey(read.page().linkKey(), frames.alike(request.piece()));
  }

  /** The request for so many rows of itself. */
  Frame frame(Node node, int rowsNow, boolean asText) {
    return frame(request.piece(), node, rowsNow, asText);
  }

  /** The request for what it is read together with. */
  Frame frame(ShareRule.Part whole, Node node, boolean asText) {
    Piece piece = new Piece(whole.range(), request.piece().replicas(), whole.rows());
    return frame(piece, node, whole.rows(), asText);
  }

  private Frame frame(Piece piece, Node node, int rowsNow, boolean asText) {
    PieceRequests frames = new PieceRequests(read.page(), read.plan(), read.template());
    PreparedText text = frames.text(piece);
    PreparedId id =
        asText || !read.template().executes()
            ? null
            : read.split().preparer().id(text, read.lane(), node, read.page().linkKey());
    Frame made = frames.frame(piece, id, rowsNow, inner);
    return read.context().hinted(made, node.id(), read.hint());
  }

  /** A node does not know its prepared text, though it was prepared there. */
  void forgetPrepared() {
    read.split().preparer().forget(read.page().part(read.plan().text(request.piece())));
  }
}
