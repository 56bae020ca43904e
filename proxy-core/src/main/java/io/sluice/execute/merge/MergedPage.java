package io.sluice.execute.merge;

import io.netty.buffer.ByteBufAllocator;
import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.execute.merge.Merger.MergeOrder;
import io.sluice.execute.merge.Merger.Step;
import io.sluice.wire.Frame;
import io.sluice.wire.ResultMetadata;
import io.sluice.wire.RowsAnswer;
import io.sluice.wire.RowsPage;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The page that is being built: its rows and columns, and the number of missing rows. Not safe for
 * several threads.
 */
final class MergedPage {

  private final MergeOrder order;
  private final @Nullable Fold fold;
  private RowsPage page = new RowsPage();
  private @Nullable ResultMetadata metadata;
  private int rowsLeft;

  /**
   * Creates a page without rows.
   *
   * @throws IllegalArgumentException when an aggregate cannot be folded exactly
   */
  MergedPage(MergeOrder order) {
    this.order = order;
    this.fold = order.rule() instanceof MergeRule.Fold rule ? new Fold(rule.columns()) : null;
    this.rowsLeft = fold == null ? order.rowsLeft() : -1;
  }

  /** Returns the rows missing in this page; {@link SubRequest#ALL} for all. */
  int wanted() {
    int room = order.paged() ? order.fetchSize() - page.rows() : SubRequest.ALL;
    return rowsLeft < 0 ? room : Math.min(room, rowsLeft);
  }

  boolean isFull() {
    return wanted() == 0;
  }

  /** Returns the rows that the client's LIMIT leaves; −1 without. */
  int rowsLeft() {
    return rowsLeft;
  }

  /** Whether a page may follow this one. */
  boolean mayBeFollowed() {
    return fold == null && order.paged() && rowsLeft != 0;
  }

  /** Whether an answer has the columns of all earlier answers. */
  boolean takesColumnsOf(RowsAnswer answer) {
    if (metadata == null || (answer.isOf(metadata) && answer.saysColumnsChanged())) {
      metadata = answer.metadata();
      return true;
    }
    return answer.isOf(metadata);
  }

  /** Whether the columns are known. */
  boolean hasColumns() {
    return metadata != null;
  }

  /**
   * Takes as many rows as are missing, in the order of the pieces.
   *
   * @return null, or the failure of the read
   */
  Step.@Nullable Failed take(PieceAnswer held) {
    if (fold != null) {
      return foldInto(fold, held);
    }
    takeRows(held);
    return page.tooLarge()
        ? new Step.Failed(
            Step.Reason.TOO_LARGE, "The answer is too large for one frame; ask for pages")
        : null;
  }

  private void takeRows(PieceAnswer held) {
    int wanted = wanted();
    int rows = held.rowsLeft();
    if (rows <= wanted) {
      held.takeAll(page);
    } else {
      rows = wanted;
      MergeRule.Concatenate rule = (MergeRule.Concatenate) order.rule();
      held.take(rows, page, rule.rowKey(), order.perPartitionLimit());
    }
    rowsLeft = rowsLeft < 0 ? -1 : rowsLeft - rows;
  }

  private Step.@Nullable Failed foldInto(Fold into, PieceAnswer held) {
    if (held.answer().rowCount() != 1 || !held.cursor().next()) {
      return malformed("An aggregate of " + held.answer().rowCount() + " rows");
    }
    page.note(held.answer());
    try {
      into.add(held.cursor());
      return null;
    } catch (ArithmeticException e) {
      return new Step.Failed(Step.Reason.LONG_DECIMALS, String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException | IndexOutOfBoundsException | BufferUnderflowException e) {
      return malformed("An aggregate that does not have the columns asked for");
    }
  }

  private static Step.Failed malformed(String what) {
    return new Step.Failed(Step.Reason.MALFORMED, what);
  }

  /** Whether all rows of an answer have been taken. */
  boolean hasUsedUp(PieceAnswer held) {
    return fold != null || held.rowsLeft() == 0;
  }

  /**
   * Returns the finished page, which the receiver owns.
   *
   * @param pagingState the paging state of the next page; null for the last page
   * @throws IllegalStateException when the columns are not known
   */
  Step.Page finish(@Nullable ByteBuffer pagingState, ByteBufAllocator allocator) {
    ResultMetadata columns = metadata;
    if (columns == null) {
      throw new IllegalStateException("no answer told the columns");
    }
    if (fold != null) {
      fold.writeTo(page);
      columns = columns.first(fold.columns());
    }
    if (order.warning() != null) {
      page.warn(order.warning());
    }
    if (order.changedTo() != null) {
      columns = columns.changedTo(order.changedTo());
    }
    int rows = page.rows();
    Frame frame = page.toFrame(order.version(), columns, pagingState, allocator);
    page = new RowsPage();
    return new Step.Page(frame, rows);
  }

  /** Returns the memory of the rows, in bytes. */
  long bytes() {
    return page.bytes();
  }

  /** Releases the rows. */
  void close() {
    page.release();
    page = new RowsPage();
  }
}
