package io.sluice.decide.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rule by which the answers to the pieces of a read become one answer. */
public sealed interface MergeRule {

  /**
   * Rows follow each other in the order of the pieces.
   *
   * @param rowKey null when a cut inside a part's answer cannot be resumed
   * @param distinct whether a row stands for a whole partition
   */
  record Concatenate(@Nullable RowKey rowKey, boolean distinct) implements MergeRule {}

  /**
   * Every part is one row, and so is the result. A part's first {@code columns.size()} columns have
   * the names and types of the result's; others may follow, which only {@link FoldColumn} reads.
   *
   * @param columns the result's columns
   */
  record Fold(List<FoldColumn> columns) implements MergeRule {

    public Fold {
      columns = List.copyOf(columns);
    }
  }
}
