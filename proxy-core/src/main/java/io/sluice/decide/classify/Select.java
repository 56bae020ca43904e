package io.sluice.decide.classify;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parsed SELECT. All spans are into the classified text, so that a rewrite can splice. The
 * inserted text needs blanks around it, since CQL has places where tokens touch, {@code IN()AND}.
 *
 * @param span the statement without the text that follows it (semicolons, space, comments)
 * @param projection the selectors
 * @param from the table
 * @param where the conditions
 * @param groupBy the GROUP BY expressions, mostly columns
 * @param orderBy the ORDER BY clause
 * @param limits the limits
 * @param allowFiltering whether ALLOW FILTERING is given
 * @param markers its bind markers in the order of the text, in all clauses
 */
public record Select(
    Span span,
    Projection projection,
    TableReference from,
    Where where,
    List<Expression> groupBy,
    List<Ordering> orderBy,
    Limits limits,
    boolean allowFiltering,
    List<Expression> markers) {

  /**
   * The selectors.
   *
   * @param span the selectors, without JSON and DISTINCT
   * @param json whether JSON is given
   * @param distinct whether DISTINCT is given
   * @param selectors one {@link Expression.Kind#STAR} for {@code *}
   */
  public record Projection(Span span, boolean json, boolean distinct, List<Selector> selectors) {}

  /**
   * One result column, or all.
   *
   * @param value the selected expression
   * @param alias the name after AS
   */
  public record Selector(Expression value, @Nullable Name alias) {}

  /**
   * A table as the text names it.
   *
   * @param span the position of both names
   * @param keyspace null when the session's keyspace applies
   * @param table its name
   */
  public record TableReference(Span span, @Nullable Name keyspace, Name table) {}

  /**
   * The conditions.
   *
   * @param span from the keyword WHERE to the end of the last condition; without conditions, empty
   *     at the place where a WHERE clause may be inserted
   * @param restrictions joined by AND; empty when there is no WHERE
   */
  public record Where(Span span, List<Restriction> restrictions) {}

  /**
   * One column of ORDER BY.
   *
   * @param column its name
   * @param descending whether DESC is given
   * @param nearestTo the vector after ANN OF
   */
  public record Ordering(Name column, boolean descending, @Nullable Expression nearestTo) {}

  /**
   * The limits: whole numbers or markers.
   *
   * @param perPartition PER PARTITION LIMIT
   * @param rows LIMIT
   * @param insertAt where the LIMIT clause begins, or may be inserted when there is none
   */
  public record Limits(
      @Nullable Expression perPartition, @Nullable Expression rows, int insertAt) {}
}
