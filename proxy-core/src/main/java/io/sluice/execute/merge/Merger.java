package io.sluice.execute.merge;

import io.netty.buffer.ByteBufAllocator;
import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.plan.ResumePoint;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.ring.Partitioner;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.wire.Frame;
import io.sluice.wire.ProtocolError;
import io.sluice.wire.RowsAnswer;
import io.sluice.wire.StatementMetadata;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges the answers to the pieces of one read, which may come in any order, and decides the next
 * step. Uses no node, socket or clock. Not safe for several threads.
 *
 * <p>The caller adds pieces with {@link #expect} in ring order, without gaps. An added piece counts
 * as asked from its beginning. The exception is the first piece of a page that resumes inside a
 * piece: it is {@link ResumePoint#piece()}, asked with {@link ResumePoint#nodeState()} as described
 * for {@link Step.Ask}. After each call of {@code expect}, {@link #offer} and {@link #failed}, the
 * caller must call {@link #next} until it returns {@link Step.Wait} or a step that ends the read.
 *
 * <p>A piece is complete when its node returns no paging state. Requests that are sent ahead must
 * be bounded by page size, never by a LIMIT below the rows that the client's own LIMIT leaves.
 */
public final class Merger {

  private static final Step WAIT = new Step.Wait();

  private final MergeOrder order;
  private final ByteBufAllocator allocator;
  private final PieceOrder pieces = new PieceOrder();
  private final MergedPage page;
  private Step.@Nullable Failed failure;
  private boolean pageGiven;
  private long heldBytes;

  /**
   * Creates a merger without pieces.
   *
   * @throws IllegalArgumentException when an aggregate cannot be folded exactly
   */
  public Merger(MergeOrder order, ByteBufAllocator allocator) {
    this.order = order;
    this.allocator = allocator;
    this.page = new MergedPage(order);
  }

  /**
   * Checks the paging state of a client's request for the statement of {@code digest}. Never
   * throws.
   *
   * @param minimum the minimum token of the cluster's partitioner
   */
  public static ClientPagingState readState(
      ByteBuffer state, StatementDigest digest, Token minimum) {
    return PagingStateCodec.decode(state, digest, minimum);
  }

  /** Whether a paging state begins like those of {@link #readState}. */
  public static boolean isOwnState(@Nullable ByteBuffer state) {
    return state != null && PagingStateCodec.isOwn(state);
  }

  /** Returns the serialised partition key in a node's paging state; null if it contains none. */
  public static @Nullable ByteBuffer lastKey(ByteBuffer nodeState) {
    NodePagingState state = NodePagingState.read(nodeState);
    return state == null ? null : ByteBuffer.wrap(state.partitionKey());
  }

  /**
   * Opens the answer to a shared scan.
   *
   * @param answer a RESULT of kind Rows, which stays the caller's
   * @param rule the rule by which rows are merged, with the positions of the primary key
   * @return the rows to share out; null when the answer is malformed
   * @throws IllegalArgumentException when the rows do not hold their primary key
   */
  public static @Nullable SharedRows share(
      Frame answer,
      MergeRule.Concatenate rule,
      Partitioner partitioner,
      ByteBufAllocator allocator) {
    try {
      return new SharedRows(answer, rule, partitioner, allocator);
    } catch (ProtocolError e) {
      return null;
    }
  }

  /**
   * Names the next pieces, which the caller asks.
   *
   * @param last whether no piece follows these
   */
  public void expect(List<TokenRange> wave, boolean last) {
    ResumePoint resume = order.resume();
    pieces.expect(wave, resume == null ? null : resume.nodeState(), last);
  }

  /**
   * Cuts a piece without answers in two. The piece keeps its number and ends at {@code middle}; a
   * new piece follows it. Both count as asked.
   *
   * @param middle a token inside the piece, not its last
   * @return the number of the new piece, the next one after all added so far
   * @throws IllegalStateException when the piece has been answered in part
   */
  public int split(int number, Token middle) {
    return pieces.split(number, middle);
  }

  /**
   * Takes over the answer to a piece, a RESULT Rows. Releases an answer that was not asked for, so
   * that a duplicate does no harm unless the piece was asked again in between.
   *
   * @return the contents of the answer; null when it was not asked for, or malformed
   */
  public @Nullable Answered offer(int number, Frame answer) {
    PieceAnswers piece = pieces.piece(number);
    if (failure != null || piece == null || !piece.asked) {
      answer.release();
      return null;
    }
    RowsAnswer rows;
    try {
      rows = RowsAnswer.of(answer);
    } catch (ProtocolError e) {
      answer.release();
      fail(Step.Reason.MALFORMED, String.valueOf(e.getMessage()));
      return null;
    }
    if (!page.takesColumnsOf(rows)) {
      rows.release();
      fail(Step.Reason.SCHEMA_CHANGED, "The table's schema changed while it was read");
      return null;
    }
    heldBytes += rows.length();
    piece.answered(rows);
    return new Answered(rows.rowCount(), rows.length(), piece.exhausted, lastKey(piece));
  }

  /**
   * Expects no more answers to a piece, whose error the caller keeps, and to those behind it. The
   * read fails with {@link Step.PieceFailed} when it needs more rows of the piece.
   *
   * @return the numbers of the pieces behind it, which the caller cancels
   * @throws IllegalStateException when the piece is used up, or followed one that has failed
   */
  public List<Integer> failed(int number) {
    List<Integer> behind = new ArrayList<>();
    for (PieceAnswers piece : pieces.endWith(number)) {
      heldBytes -= piece.release();
      behind.add(piece.number);
    }
    return behind;
  }

  private static @Nullable ByteBuffer lastKey(PieceAnswers piece) {
    return piece.nodeState == null ? null : lastKey(piece.nodeState);
  }

  /** Returns the next step. */
  public Step next() {
    if (failure == null && !pageGiven) {
      try {
        useUp();
      } catch (ProtocolError e) {
        fail(Step.Reason.MALFORMED, String.valueOf(e.getMessage()));
      }
    }
    if (failure != null) {
      return failure;
    }
    if (pageGiven) {
      return WAIT;
    }
    if (page.isFull() || pieces.atEnd()) {
      return pieces.cancel() ? new Step.Cancel() : givePage();
    }
    PieceAnswers failed = pieces.failed(page.wanted() == SubRequest.ALL);
    if (failed != null) {
      return new Step.PieceFailed(failed.number);
    } else if (pieces.needsMore()) {
      return new Step.SendMore(page.wanted());
    }
    boolean ahead = !order.paged() && bufferedBytes() < order.maxBufferedBytes();
    PieceAnswers piece = pieces.ask(ahead);
    return piece == null ? WAIT : new Step.Ask(piece.number, piece.nodeState, page.wanted());
  }

  /**
   * Takes all answers that follow in ring order without a gap, including empty ones after the last
   * row.
   */
  private void useUp() {
    PieceAnswers piece = pieces.first();
    while (failure == null && piece != null) {
      PieceAnswer held = piece.answers.peek();
      if (held != null && (held.rowsLeft() == 0 || !page.isFull())) {
        use(piece, held);
      } else if (held == null && piece.exhausted) {
        piece = pieces.advance(piece);
      } else {
        return;
      }
    }
  }

  private void use(PieceAnswers piece, PieceAnswer held) {
    Step.Failed fault = page.take(held);
    if (fault != null) {
      fail(fault.reason(), fault.message());
    } else if (page.hasUsedUp(held)) {
      piece.answers.remove();
      heldBytes -= held.answer().length();
      held.answer().release();
    }
  }

  private Step givePage() {
    if (!page.hasColumns()) {
      return fail(Step.Reason.NOTHING_ASKED, "No token range was asked");
    }
    ResumePoint point;
    try {
      point = page.mayBeFollowed() ? resumePoint() : null;
    } catch (IllegalStateException e) {
      return fail(Step.Reason.MALFORMED, String.valueOf(e.getMessage()));
    }
    ByteBuffer state = point == null ? null : PagingStateCodec.encode(point, order.digest());
    Step ready = page.finish(state, allocator);
    pageGiven = true;
    close();
    return ready;
  }

  /** Returns the point at which the next page begins; null when there is none. */
  private @Nullable ResumePoint resumePoint() {
    int rowsLeft = page.rowsLeft();
    PieceAnswers piece = pieces.first();
    if (piece == null) {
      return pieces.atEnd()
          ? null
          : new ResumePoint(pieces.usedUpTo(), null, null, rowsLeft, order.perPartitionLimit());
    }
    PieceAnswer held = piece.answers.peek();
    ByteBuffer nodeState = piece.nodeState;
    if (held != null) {
      MergeRule.Concatenate rule = (MergeRule.Concatenate) order.rule();
      nodeState =
          held.untouched()
              ? held.begin()
              : PageEnd.inside(held, rule, rowsLeft, order.perPartitionLimit());
    }
    return PageEnd.at(piece.range, nodeState, rowsLeft, order.perPartitionLimit());
  }

  /** Returns the memory of the answers and of the page, in bytes. */
  public long bufferedBytes() {
    return heldBytes + page.bytes();
  }

  private Step fail(Step.Reason reason, String message) {
    close();
    failure = new Step.Failed(reason, message);
    return failure;
  }

  /** Releases all answers and the page. Later answers are released on arrival. */
  public void close() {
    page.close();
    pieces.close();
    heldBytes = 0;
  }

  /**
   * The contents of an answer to a piece.
   *
   * @param rows its rows
   * @param bytes its size
   * @param complete whether the piece has no more rows
   * @param lastKey the serialised partition key of its last row; null when the piece is complete,
   *     or when the node's paging state does not contain it
   */
  public record Answered(int rows, long bytes, boolean complete, @Nullable ByteBuffer lastKey) {}

  /** The next step of a read whose answers are merged. */
  public sealed interface Step {

    /** Wait for another answer. */
    record Wait() implements Step {}

    /**
     * Ask a piece (again). With {@code nodeState}, the request needs a page size and no LIMIT:
     * Cassandra ignores a paging state and restarts when the page size is 0 or not below the LIMIT
     * in the text. The paging state itself holds the remaining rows.
     *
     * @param piece the number of the piece, in the order in which pieces were added
     * @param nodeState the node's paging state; null for the beginning of the piece
     * @param rows rows that are missing from here on; {@link SubRequest#ALL} for all. The request
     *     may ask for fewer
     */
    record Ask(int piece, @Nullable ByteBuffer nodeState, int rows) implements Step {}

    /**
     * Add and ask more pieces: all pieces added so far are used up.
     *
     * @param rows rows that are still missing; {@link SubRequest#ALL} for all
     */
    record SendMore(int rows) implements Step {}

    /** Cancel all requests in flight. Their answers must not arrive any more. */
    record Cancel() implements Step {}

    /**
     * The page is ready, and the merger is closed.
     *
     * @param frame the answer, on stream 0, owned by the receiver
     * @param rows the number of its rows
     */
    record Page(Frame frame, int rows) implements Step {}

    /**
     * The read fails with the error of a piece whose rows it needs.
     *
     * @param number the number of the piece
     */
    record PieceFailed(int number) implements Step {}

    /**
     * The read fails; all answers are released.
     *
     * @param reason the reason
     * @param message the message for the client
     */
    record Failed(Reason reason, String message) implements Step {}

    /** The reason why a read fails. */
    enum Reason {
      /** Pieces were answered under different schemas. */
      SCHEMA_CHANGED,
      /** A node's answer does not match the request, or is malformed. */
      MALFORMED,
      /** The page does not fit into one frame. */
      TOO_LARGE,
      /** The parts of an aggregate of decimals take too long to combine. */
      LONG_DECIMALS,
      /** No piece was added, so that the columns are not known. */
      NOTHING_ASKED
    }
  }

  /**
   * The properties of a client's request that merging depends on.
   *
   * @param rule the rule by which answers are merged
   * @param version the protocol version of the client's connection
   * @param fetchSize rows per page; 0 for all rows in one
   * @param limit the LIMIT of the statement; −1 without
   * @param perPartitionLimit the PER PARTITION LIMIT; −1 without
   * @param resume the point at which this page begins, with the rest of {@code limit}; null for the
   *     first page
   * @param digest the digest of the statement, for the paging state
   * @param maxBufferedBytes above this, no piece is read ahead of the first incomplete one
   * @param warning the warning that Cassandra gives for the statement but not for its pieces; null
   *     without
   * @param changedTo the changed columns to report to the client with their id (v5) if the rows
   *     have them; null without
   */
  public record MergeOrder(
      MergeRule rule,
      int version,
      int fetchSize,
      int limit,
      int perPartitionLimit,
      @Nullable ResumePoint resume,
      StatementDigest digest,
      long maxBufferedBytes,
      @Nullable String warning,
      @Nullable StatementMetadata changedTo) {

    int rowsLeft() {
      return resume == null ? limit : resume.rowsLeft();
    }

    boolean paged() {
      return fetchSize > 0 && rule instanceof MergeRule.Concatenate;
    }
  }
}
