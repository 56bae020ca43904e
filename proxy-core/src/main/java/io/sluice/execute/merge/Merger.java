package io.sluice.execute.merge;

import io.netty.buffer.ByteBufAllocator;
import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.plan.ResumePoint;
import io.sluice.ring.Partitioner;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.wire.Frame;
import io.sluice.wire.ProtocolError;
import io.sluice.wire.RowsAnswer;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts the answers to the pieces of one read together, whatever order they come in, and says what
 * to do next. Knows no node, socket or clock. Not safe for several threads.
 *
 * <p>Pieces are named with {@link #expect} in ring order, each without a gap behind the one before,
 * and are then taken for asked: from their beginning, but the first piece of a page that resumes
 * inside one, which is {@link ResumePoint#piece()}, with {@link ResumePoint#inner()} as {@link
 * Step.Ask} says. After each call of {@code expect} and {@link #offer}, {@link #next} is to be
 * called until it says {@link Step.Wait}, {@link Step.Page} or {@link Step.Failed}.
 *
 * <p>A piece is complete when its node gives no paging state: bound what is sent ahead by page
 * size, never by a LIMIT below the rows that the client's own LIMIT leaves.
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
   * Nothing named, nothing answered.
   *
   * @throws IllegalArgumentException when the order is to fold what cannot be folded exactly
   */
  public Merger(MergeOrder order, ByteBufAllocator allocator) {
    this.order = order;
    this.allocator = allocator;
    this.page = new MergedPage(order);
  }

  /**
   * What the paging state of a client's request turned out to be, when the statement of {@code
   * digest} came with it. Never throws.
   *
   * @param minimum the minimum token of the cluster's partitioner
   */
  public static ClientPagingState readState(
      ByteBuffer state, StatementDigest digest, Token minimum) {
    return PagingStateCodec.decode(state, digest, minimum);
  }

  /** The serialised partition key of the last row before a node's paging state, if it tells. */
  public static @Nullable ByteBuffer lastKey(ByteBuffer nodeState) {
    NodePagingState state = NodePagingState.read(nodeState);
    return state == null ? null : ByteBuffer.wrap(state.partitionKey());
  }

  /**
   * Opens an answer to a read of several pieces together.
   *
   * @param answer a RESULT of kind Rows, which stays the caller's
   * @param rule how rows follow each other; says where their primary key is
   * @return what each piece would have been answered by itself; null when the answer is malformed
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
   * Names the next pieces, which have been asked.
   *
   * @param last whether no piece follows these
   */
  public void expect(List<TokenRange> wave, boolean last) {
    ResumePoint resume = order.resume();
    pieces.expect(wave, resume == null ? null : resume.inner(), last);
  }

  /**
   * Cuts a piece, of which nothing has been answered yet, in two: it keeps its number and ends at
   * {@code middle}, and a new one follows it. Both are taken for asked.
   *
   * @param middle a token inside it, not its last
   * @return the new piece's number, the next one after all named so far
   * @throws IllegalStateException when something of it was answered
   */
  public int split(int number, Token middle) {
    return pieces.split(number, middle);
  }

  /**
   * Takes over the answer to a piece, a RESULT Rows. One that was not asked for is released, so a
   * doubled answer does no harm unless the piece was asked again in between.
   *
   * @return what it held; null when it was not asked for, or not understood
   */
  public @Nullable Answered offer(int number, Frame answer) {
    PieceProgress piece = pieces.piece(number);
    if (failure != null || !piece.asked) {
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

  private static @Nullable ByteBuffer lastKey(PieceProgress piece) {
    return piece.inner == null ? null : lastKey(piece.inner);
  }

  /** What to do now. */
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
    } else if (pieces.needsMore()) {
      return new Step.SendMore(page.wanted());
    }
    boolean ahead = !order.paged() && bufferedBytes() < order.maxBufferedBytes();
    PieceProgress piece = pieces.ask(ahead);
    return piece == null ? WAIT : new Step.Ask(piece.number, piece.inner, page.wanted());
  }

  /** Takes what follows without a gap; also what is empty behind the last row. */
  private void useUp() {
    PieceProgress piece = pieces.first();
    while (failure == null && piece != null) {
      PieceAnswer held = piece.answers.peek();
      if (held != null && (held.rowsLeft() == 0 || !page.isFull())) {
        use(piece, held);
      } else if (held == null && piece.exhausted) {
        pieces.advance();
        piece = pieces.first();
      } else {
        return;
      }
    }
  }

  private void use(PieceProgress piece, PieceAnswer held) {
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

  /** Where the next page begins, or null when there is none. */
  private @Nullable ResumePoint resumePoint() {
    int rowsLeft = page.rowsLeft();
    PieceProgress piece = pieces.first();
    if (piece == null) {
      return pieces.atEnd()
          ? null
          : new ResumePoint(pieces.usedUpTo(), null, null, rowsLeft, order.perPartitionLimit());
    }
    PieceAnswer held = piece.answers.peek();
    ByteBuffer inner = piece.inner;
    if (held != null) {
      MergeRule.Concatenate rule = (MergeRule.Concatenate) order.rule();
      inner =
          held.untouched()
              ? held.begin()
              : PageEnd.inside(held, rule, rowsLeft, order.perPartitionLimit());
    }
    return PageEnd.at(piece.range, inner, rowsLeft, order.perPartitionLimit());
  }

  /** Memory held by answers and by the page in the making, in bytes. */
  public long bufferedBytes() {
    return heldBytes + page.bytes();
  }

  private Step fail(Step.Reason reason, String message) {
    close();
    failure = new Step.Failed(reason, message);
    return failure;
  }

  /** Releases all that is held; answers that come later are released as they come. */
  public void close() {
    page.close();
    pieces.close();
    heldBytes = 0;
  }
}
