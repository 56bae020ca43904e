package io.sluice.decide.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rule that combines the answers to the pieces of a read. */
public sealed interface MergeRule {

  /**
   * Concatenates the rows in the order of the pieces.
   *
   * @param rowKey null if a page cannot end inside a piece's answer
   * @param distinct whether a row stands for a whole partition
   */
  record Concatenate(@Nullable RowKey rowKey, boolean distinct) implements MergeRule {}

  /**
   * Combines one row of each piece into one row. The first {@code columns.size()} columns of a
   * piece's row have the names and types of the result's columns. Others may follow, which only
   * {@link FoldColumn} reads.
   *
   * @param columns the result's columns
   */
  record Fold(List<FoldColumn> columns) implements MergeRule {

    public Fold {
      columns = List.copyOf(columns);
    }
  }
}
