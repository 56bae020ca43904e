package io.sluice.decide.classify;

import java.util.List;

/**
 * One condition of a WHERE clause. An INSERT's columns and values are read as restrictions by
 * {@link Operator#EQ}.
 *
 * @param span its position in the text
 * @param subject the left side
 * @param columns the columns restricted, as stored: one for {@link Subject#COLUMN} and {@link
 *     Subject#ELEMENT}, none for {@link Subject#CUSTOM_INDEX}
 * @param operator the comparison
 * @param values the right side: the members for IN and NOT IN with a list, two values for BETWEEN,
 *     none for IS NOT NULL, otherwise one
 */
public record Restriction(
    Span span, Subject subject, List<String> columns, Operator operator, List<Expression> values) {

  /** The left side of a comparison. */
  public enum Subject {
    /** {@code column}. */
    COLUMN,
    /** {@code token(column, …)}. */
    TOKEN,
    /** {@code (column, …)}. */
    TUPLE,
    /** {@code column[key]}, and in conditions {@code column.field}. */
    ELEMENT,
    /** {@code expr(index, value)}. */
    CUSTOM_INDEX
  }

  /** The comparisons of CQL. */
  public enum Operator {
    EQ,
    NEQ,
    LT,
    LTE,
    GT,
    GTE,
    /** {@code IN (a, b)}. */
    IN,
    /** {@code IN ?}: one marker stands for the whole list. */
    IN_MARKER,
    /** {@code NOT IN}, in both forms. */
    NOT_IN,
    CONTAINS,
    CONTAINS_KEY,
    NOT_CONTAINS,
    NOT_CONTAINS_KEY,
    LIKE,
    IS_NOT_NULL,
    BETWEEN
  }
}
