package io.sluice.execute.merge;

import io.sluice.decide.plan.MergeRule.RowKey;
import io.sluice.wire.RowsAnswer;
import io.sluice.wire.RowsAnswer.RowCursor;
import io.sluice.wire.RowsPage;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One answer to one piece, from which rows are taken in order. Owns the answer. */
final class PieceAnswer {

  private final RowsAnswer answer;

  /** The paging state of the request; null for the beginning of the piece. */
  private final @Nullable ByteBuffer begin;

  private @Nullable RowCursor cursor;
  private int taken;
  private int takenUpTo;

  /** The positions of the previous row's partition key cells; empty before the first row. */
  private int[] lastKey = new int[0];

  private int leftInPartition;

  PieceAnswer(RowsAnswer answer, @Nullable ByteBuffer begin) {
    this.answer = answer;
    this.begin = begin;
    this.takenUpTo = answer.rowsBegin();
  }

  RowsAnswer answer() {
    return answer;
  }

  int rowsLeft() {
    return answer.rowCount() - taken;
  }

  boolean untouched() {
    return taken == 0;
  }

  @Nullable ByteBuffer begin() {
    return begin;
  }

  /** Adds all remaining rows to {@code page}, without reading them. */
  void takeAll(RowsPage page) {
    if (taken == 0) {
      page.note(answer);
    }
    page.add(answer, takenUpTo, answer.rowsEnd(), rowsLeft());
    taken = answer.rowCount();
  }

  /**
   * Adds the next {@code rows} rows to {@code page}, fewer than remain.
   *
   * @param key the positions of the primary key, to count PER PARTITION LIMIT
   * @param perPartitionLimit −1 without
   */
  void take(int rows, RowsPage page, @Nullable RowKey key, int perPartitionLimit) {
    if (taken == 0) {
      page.note(answer);
    }
    RowCursor at = cursor();
    for (int i = 0; i < rows; i++) {
      at.next();
      if (key != null && perPartitionLimit >= 0) {
        count(at, key, perPartitionLimit);
      }
    }
    page.add(answer, takenUpTo, at.end(), rows);
    takenUpTo = at.end();
    taken += rows;
  }

  /** Returns the cursor on the last row that was taken; before the first row if none was. */
  RowCursor cursor() {
    if (cursor == null) {
      cursor = answer.rows();
    }
    return cursor;
  }

  /** Returns the rows that PER PARTITION LIMIT leaves in the partition of the last taken row. */
  int leftInPartition() {
    return leftInPartition;
  }

  private void count(RowCursor row, RowKey key, int perPartitionLimit) {
    boolean first = lastKey.length == 0;
    if (first) {
      lastKey = new int[key.partition().size()];
    }
    if (first ? !continues(row, key) : !sameKey(row, key)) {
      leftInPartition = perPartitionLimit;
    }
    leftInPartition--;
    for (int i = 0; i < lastKey.length; i++) {
      lastKey[i] = row.cellAt(key.partition().get(i));
    }
  }

  private boolean sameKey(RowCursor row, RowKey key) {
    for (int i = 0; i < lastKey.length; i++) {
      if (!row.sameCell(key.partition().get(i), lastKey[i])) {
        return false;
      }
    }
    return true;
  }

  /** Whether the first row belongs to the partition in which the previous page ended. */
  private boolean continues(RowCursor row, RowKey key) {
    NodePagingState before = begin == null ? null : NodePagingState.read(begin);
    if (before == null
        || !Arrays.equals(
            before.partitionKey(), NodePagingState.partitionKey(row, key.partition()))) {
      return false;
    }
    leftInPartition = before.remainingInPartition();
    return true;
  }
}
