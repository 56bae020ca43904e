package io.sluice.decide.plan;

/**
 * One result column of an aggregate, from columns of the parts.
 *
 * @param kind the aggregate
 * @param part index, from 0, of the column in a part's row: what the part counted, its sum (for AVG
 *     an exact {@code varint}), its least, its greatest
 * @param count index of the column with how many values went into the sum, a {@code bigint}; −1
 *     unless AVG
 * @param type CQL type of the argument, and so of the result, as {@code system_schema.columns}
 *     spells it; {@code bigint} for COUNT
 */
public record FoldColumn(Kind kind, int part, int count, String type) {

  /** The aggregates whose parts can be put together exactly. */
  public enum Kind {
    COUNT,
    /** Whole numbers wrap around in their type, as Cassandra's do. */
    SUM,
    MIN,
    MAX,
    AVG
  }
}
