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

  /**
   * One result column of an aggregate, computed from columns of the parts.
   *
   * @param kind the aggregate
   * @param part index, from 0, of the column in a part's row: the part's count, sum (an exact
   *     {@code varint} for AVG), minimum or maximum
   * @param count index of the column with the number of values in the sum, a {@code bigint}; −1
   *     unless AVG
   * @param type CQL type of the argument, and so of the result, as {@code system_schema.columns}
   *     spells it; {@code bigint} for COUNT
   */
  record FoldColumn(Kind kind, int part, int count, String type) {

    /** The aggregates that can be computed exactly from those of parts. */
    public enum Kind {
      COUNT,
      /** Whole numbers wrap around in their type, as in Cassandra. */
      SUM,
      MIN,
      MAX,
      AVG
    }
  }

  /**
   * The positions of the primary key's columns in a result row.
   *
   * @param partition indexes of the partition key's columns, from 0, in key order
   * @param clustering indexes of the clustering columns in key order; empty for DISTINCT, and for a
   *     table without clustering columns
   */
  record RowKey(List<Integer> partition, List<Integer> clustering) {

    public RowKey {
      partition = List.copyOf(partition);
      clustering = List.copyOf(clustering);
    }
  }
}
