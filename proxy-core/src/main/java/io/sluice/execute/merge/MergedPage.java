package io.sluice.execute.merge;

import io.netty.buffer.ByteBufAllocator;
import io.sluice.decide.plan.MergeRule;
import io.sluice.wire.Frame;
import io.sluice.wire.ResultMetadata;
import io.sluice.wire.RowsAnswer;
import io.sluice.wire.RowsPage;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The page in the making: its rows and columns, and the rows that it still wants. Not safe for
 * several threads.
 */
final class MergedPage {

  private final MergeOrder order;
  private final @Nullable Fold fold;
  private RowsPage page = new RowsPage();
  private @Nullable ResultMetadata metadata;
  private int rowsLeft;

  /**
   * Has no rows.
   *
   * @throws IllegalArgumentException when the order is to fold what cannot be folded exactly
   */
  MergedPage(MergeOrder order) {
    this.order = order;
    this.fold = order.rule() instanceof MergeRule.Fold rule ? new Fold(rule.columns()) : null;
    this.rowsLeft = fold == null ? order.rowsLeft() : -1;
  }

  /** Rows missing in this page; −1 for all there are. */
  int wanted() {
    if (!order.paged()) {
      return rowsLeft;
    }
    int room = order.fetchSize() - page.rows();
    return rowsLeft < 0 ? room : Math.min(room, rowsLeft);
  }

  boolean isFull() {
    return wanted() == 0;
  }

  /** Rows of the client's LIMIT behind those taken so far; −1 without. */
  int rowsLeft() {
    return rowsLeft;
  }

  /** Whether a page may follow this one. */
  boolean mayBeFollowed() {
    return fold == null && order.paged() && rowsLeft != 0;
  }

  /** Whether an answer has the columns of all answers before. */
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
   * Takes as many rows as are wanted, in the order of the pieces.
   *
   * @return null, or why the read fails
   */
  Step.@Nullable Failed take(PieceAnswer held) {
    String fault = fold == null ? null : foldInto(fold, held);
    if (fault != null) {
      return new Step.Failed(Step.Reason.MALFORMED, fault);
    } else if (fold == null) {
      takeRows(held);
    }
    return page.tooLarge()
        ? new Step.Failed(
            Step.Reason.TOO_LARGE, "The answer is too large for one frame; ask for pages")
        : null;
  }

  private void takeRows(PieceAnswer held) {
    int wanted = wanted();
    int rows = held.rowsLeft();
    if (wanted < 0 || rows <= wanted) {
      held.takeAll(page);
    } else {
      rows = wanted;
      MergeRule.Concatenate rule = (MergeRule.Concatenate) order.rule();
      held.take(rows, page, rule.rowKey(), order.perPartitionLimit());
    }
    rowsLeft = rowsLeft < 0 ? -1 : rowsLeft - rows;
  }

  private @Nullable String foldInto(Fold into, PieceAnswer held) {
    if (held.answer().rowCount() != 1 || !held.cursor().next()) {
      return "An aggregate of " + held.answer().rowCount() + " rows";
    }
    page.note(held.answer());
    try {
      into.add(held.cursor());
      return null;
    } catch (IllegalArgumentException | IndexOutOfBoundsException | BufferUnderflowException e) {
      return "An aggregate that does not have the columns asked for";
    }
  }

  /** Whether nothing more is to be taken of an answer that rows were taken of. */
  boolean hasUsedUp(PieceAnswer held) {
    return fold != null || held.rowsLeft() == 0;
  }

  /**
   * Gives the page to the receiver.
   *
   * @param pagingState where the next page begins; null when none follows
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
    return new Step.Page(frame, rows, pagingState == null);
  }

  /** Memory that the rows take, in bytes. */
  long bytes() {
    return page.bytes();
  }

  /** Releases the rows. */
  void close() {
    page.release();
    page = new RowsPage();
  }
}
