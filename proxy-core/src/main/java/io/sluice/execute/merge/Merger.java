package io.sluice.execute.merge;

import io.netty.buffer.ByteBufAllocator;
import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.plan.ResumePoint;
import io.sluice.ring.Partitioner;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.wire.Frame;
import io.sluice.wire.ProtocolError;
import io.sluice.wire.ResultMetadata;
import io.sluice.wire.RowsAnswer;
import io.sluice.wire.RowsPage;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts the answers to the pieces of one read together, whatever order they come in, and says what
 * to do next. Knows no node, socket or clock. Not safe for use by two threads at once.
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

  /** In ring order. */
  private final List<PieceProgress> pieces = new ArrayList<>();

  private final List<PieceProgress> byNumber = new ArrayList<>();
  private final @Nullable Fold fold;

  private RowsPage page = new RowsPage();
  private @Nullable ResultMetadata metadata;
  private Step.@Nullable Failed failure;
  private @Nullable ByteBuffer pagingState;
  private int fetchSize;
  private int rowsLeft;

  /** The first piece that is not used up. */
  private int head;

  private boolean allNamed;
  private boolean askedForMore;
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
    this.fold = order.rule() instanceof MergeRule.Fold rule ? new Fold(rule.columns()) : null;
    this.fetchSize = order.fetchSize();
    this.rowsLeft = fold == null ? order.rowsLeft() : -1;
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
   * Opens an answer to a read of several parts together.
   *
   * @param answer a RESULT of kind Rows, which stays the caller's
   * @param rule how rows follow each other; says where their primary key is
   * @return what each part would have been answered by itself; null when the answer is malformed
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
    for (TokenRange range : wave) {
      ResumePoint resume = pieces.isEmpty() ? order.resume() : null;
      pieces.add(named(range, resume == null ? null : resume.inner()));
    }
    allNamed = last;
    askedForMore = false;
  }

  private PieceProgress named(TokenRange range, @Nullable ByteBuffer inner) {
    PieceProgress piece = new PieceProgress(byNumber.size(), range, inner);
    byNumber.add(piece);
    return piece;
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
    PieceProgress piece = byNumber.get(number);
    if (!piece.untouched()) {
      throw new IllegalStateException("piece " + number + " has been answered in part");
    }
    PieceProgress rest = named(new TokenRange(middle, piece.range.upTo()), null);
    piece.range = new TokenRange(piece.range.after(), middle);
    pieces.add(pieces.indexOf(piece) + 1, rest);
    return rest.number;
  }

  /**
   * Takes over the answer to a piece, a RESULT Rows. One that was not asked for is released, so a
   * doubled answer does no harm unless the piece was asked again in between.
   *
   * @return what it held; null when it was not asked for, or not understood
   */
  public @Nullable Answered offer(int number, Frame answer) {
    PieceProgress piece = byNumber.get(number);
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
    if (metadata == null || (rows.isOf(metadata) && rows.saysColumnsChanged())) {
      metadata = rows.metadata();
    } else if (!rows.isOf(metadata)) {
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
    boolean nothingLeft = head == pieces.size();
    if (satisfied() || (nothingLeft && allNamed)) {
      return cancelAsked() ? new Step.Cancel() : givePage();
    }
    if (!nothingLeft) {
      return ask();
    }
    if (askedForMore) {
      return WAIT;
    }
    askedForMore = true;
    return new Step.SendMore(wanted());
  }

  private boolean satisfied() {
    return wanted() == 0;
  }

  /** Rows missing in this page; −1 for all there are. */
  private int wanted() {
    if (!order.paged()) {
      return rowsLeft;
    }
    int room = fetchSize - page.rows();
    return rowsLeft < 0 ? room : Math.min(room, rowsLeft);
  }

  /** Takes what follows without a gap; also what is empty behind the last row. */
  private void useUp() {
    while (failure == null && head < pieces.size()) {
      PieceProgress piece = pieces.get(head);
      Part part = piece.parts.peek();
      if (part != null && (part.rowsLeft() == 0 || !satisfied())) {
        use(piece, part);
      } else if (part == null && piece.exhausted) {
        head++;
      } else {
        return;
      }
    }
  }

  private void use(PieceProgress piece, Part part) {
    int wanted = wanted();
    int rows = part.rowsLeft();
    if (fold != null) {
      useRow(fold, part);
    } else if (wanted < 0 || rows <= wanted) {
      part.takeAll(page);
    } else {
      rows = wanted;
      MergeRule.Concatenate rule = (MergeRule.Concatenate) order.rule();
      part.take(rows, page, rule.rowKey(), order.perPartitionLimit());
    }
    if (failure != null) {
      return;
    }
    rowsLeft = rowsLeft < 0 ? -1 : rowsLeft - rows;
    if (fold != null || part.rowsLeft() == 0) {
      piece.parts.remove();
      heldBytes -= part.answer().length();
      part.answer().release();
    }
    if (page.tooLarge()) {
      fail(Step.Reason.TOO_LARGE, "The answer is too large for one frame; ask for pages");
    }
  }

  private void useRow(Fold into, Part part) {
    if (part.answer().rowCount() != 1 || !part.cursor().next()) {
      fail(Step.Reason.MALFORMED, "An aggregate of " + part.answer().rowCount() + " rows");
      return;
    }
    page.note(part.answer());
    try {
      into.add(part.cursor());
    } catch (IllegalArgumentException | IndexOutOfBoundsException | BufferUnderflowException e) {
      fail(Step.Reason.MALFORMED, "An aggregate that does not have the columns asked for");
    }
  }

  private Step ask() {
    for (int i = head; i < pieces.size(); i++) {
      PieceProgress piece = pieces.get(i);
      if (!piece.asked && !piece.exhausted) {
        piece.asked = true;
        return new Step.Ask(piece.number, piece.inner, wanted());
      }
      if (order.paged() || bufferedBytes() >= order.maxBufferedBytes()) {
        break;
      }
    }
    return WAIT;
  }

  private boolean cancelAsked() {
    boolean any = false;
    for (PieceProgress piece : pieces) {
      any |= piece.asked;
      piece.asked = false;
    }
    return any;
  }

  private Step givePage() {
    if (metadata == null) {
      return fail(Step.Reason.NOTHING_ASKED, "No part of the ring was asked");
    }
    ResultMetadata columns = metadata;
    ResumePoint point = null;
    if (fold != null) {
      fold.writeTo(page);
      columns = metadata.first(fold.columns());
    } else if (order.paged() && rowsLeft != 0) {
      try {
        point = resumePoint();
      } catch (IllegalStateException e) {
        return fail(Step.Reason.MALFORMED, String.valueOf(e.getMessage()));
      }
    }
    if (order.warning() != null) {
      page.warn(order.warning());
    }
    pagingState = point == null ? null : PagingStateCodec.encode(point, order.digest());
    if (order.changedTo() != null) {
      columns = columns.changedTo(order.changedTo());
    }
    int rows = page.rows();
    Frame frame = page.toFrame(order.version(), columns, pagingState, allocator);
    page = new RowsPage();
    pageGiven = true;
    if (point == null) {
      close();
    }
    return new Step.Page(frame, rows, point == null);
  }

  /** Where the next page begins, or null when there is none. */
  private @Nullable ResumePoint resumePoint() {
    MergeRule.Concatenate rule = (MergeRule.Concatenate) order.rule();
    if (head == pieces.size()) {
      return allNamed
          ? null
          : new ResumePoint(
              pieces.get(head - 1).range.upTo(), null, null, rowsLeft, order.perPartitionLimit());
    }
    PieceProgress piece = pieces.get(head);
    Part part = piece.parts.peek();
    ByteBuffer inner = piece.inner;
    if (part != null) {
      inner =
          part.untouched()
              ? part.begin()
              : PageEnd.inside(part, rule, rowsLeft, order.perPartitionLimit());
    }
    return PageEnd.at(piece.range, inner, rowsLeft, order.perPartitionLimit());
  }

  /**
   * Goes on with the page after the one that was given, with what is left of answers. The paging
   * state alone is always enough, too: a merger that is not asked on is to be closed.
   *
   * @param rows the new fetch size, more than 0
   */
  public void nextPage(int rows) {
    if (!pageGiven || failure != null) {
      throw new IllegalStateException("no page was given");
    }
    fetchSize = rows;
    pageGiven = false;
  }

  /** Where the page after the one that was given begins; null when there is none. */
  public @Nullable ByteBuffer pagingState() {
    return pagingState;
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
    page.release();
    page = new RowsPage();
    for (PieceProgress piece : pieces) {
      piece.parts.forEach(part -> part.answer().release());
      piece.parts.clear();
      piece.asked = false;
    }
    heldBytes = 0;
  }
}
