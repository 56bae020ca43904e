package io.sluice.execute.merge;

import io.sluice.decide.plan.MergeRule;
import io.sluice.decide.plan.MergeRule.RowKey;
import io.sluice.decide.plan.ResumePoint;
import io.sluice.ring.TokenRange;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Computes where a page ends that does not end with a piece. */
final class PageEnd {

  private PageEnd() {}

  /**
   * Creates the paging state after the last row taken from {@code held}, for which no node has sent
   * one.
   *
   * @throws IllegalStateException when the rows do not hold their primary key
   */
  static ByteBuffer inside(
      PieceAnswer held, MergeRule.Concatenate rule, int rowsLeft, int perPartitionLimit) {
    RowKey key = rule.rowKey();
    if (key == null) {
      throw new IllegalStateException("A node gave more rows than were asked for");
    }
    return NodePagingState.behind(
            held.cursor(),
            rule.distinct() ? new RowKey(key.partition(), List.of()) : key,
            rowsLeft < 0 ? NodePagingState.UNLIMITED : rowsLeft,
            perPartitionLimit < 0 ? NodePagingState.UNLIMITED : held.leftInPartition())
        .bytes();
  }

  /**
   * Returns the point inside the piece of {@code range} at which {@code nodeState} continues.
   *
   * @param nodeState null when no row of the piece was taken
   */
  static ResumePoint at(
      TokenRange range, @Nullable ByteBuffer nodeState, int rowsLeft, int perPartitionLimit) {
    if (nodeState == null) {
      return new ResumePoint(range.after(), null, null, rowsLeft, perPartitionLimit);
    }
    return new ResumePoint(range.after(), range, nodeState, rowsLeft, perPartitionLimit);
  }
}
