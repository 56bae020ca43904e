package io.sluice.decide.plan;

/**
 * One result column of an aggregate, computed from columns of the parts.
 *
 * @param kind the aggregate
 * @param part index, from 0, of the column in a part's row: the part's count, sum (an exact {@code
 *     varint} for AVG), minimum or maximum
 * @param count index of the column with the number of values in the sum, a {@code bigint}; −1
 *     unless AVG
 * @param type CQL type of the argument, and so of the result, as {@code system_schema.columns}
 *     spells it; {@code bigint} for COUNT
 */
public record FoldColumn(Kind kind, int part, int count, String type) {

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
