package io.sluice.statement;

import io.sluice.decide.classify.Expression;
import io.sluice.decide.classify.Select;
import io.sluice.decide.classify.StatementShape;
import io.sluice.decide.plan.ResultRows;
import io.sluice.decide.rule.Rule;
import io.sluice.wire.CappedRequest;
import io.sluice.wire.CqlRequest.Parameters;
import io.sluice.wire.Values;
import org.jspecify.annotations.Nullable;

/**
 * Computes the changes to a SELECT that asks for more rows than a rule allows. Aggregates, GROUP BY
 * and invalid LIMITs are not changed. Pure.
 */
final class RowCap {

  private static final CappedRequest NOTHING = new CappedRequest(null, -1, 0, 0);

  private final Statement statement;
  private final Select select;
  private final Parameters parameters;

  private RowCap(Statement statement, Select select, Parameters parameters) {
    this.statement = statement;
    this.select = select;
    this.parameters = parameters;
  }

  /** Returns the changes that {@code cap} requires; may be empty. */
  static CappedRequest of(Statement statement, Parameters parameters, Rule.Cap cap) {
    Select select = statement.classified().select();
    if (select == null || !statement.isRead() || ResultRows.combines(select)) {
      return NOTHING;
    }
    return new RowCap(statement, select, parameters).changes(cap);
  }

  private CappedRequest changes(Rule.Cap cap) {
    Integer most = cap.pageSize();
    boolean shorter = most != null && parameters.pageSize() > most && isPageable();
    int pageSize = shorter && most != null ? most : 0;
    Integer limit = cap.limit();
    // A paging state holds the remaining rows and takes precedence over LIMIT.
    return limit == null || statement.continues()
        ? new CappedRequest(null, -1, 0, pageSize)
        : limited(limit, pageSize);
  }

  /**
   * Whether Cassandra can page the result. Cassandra refuses to page results that it sorts itself,
   * unless they fit on one page.
   */
  private boolean isPageable() {
    return select.orderBy().isEmpty()
        || (statement.classified().shape() == StatementShape.POINT_READ
            && select.orderBy().stream().allMatch(each -> each.nearestTo() == null));
  }

  private CappedRequest limited(int most, int pageSize) {
    Expression rows = select.limits().rows();
    boolean unset = rows != null && isUnset(rows);
    int asked = statement.classified().limit(statement.values());
    if (rows != null && !unset && asked <= most) {
      // The LIMIT is low enough, or invalid; a node reports an invalid one.
      return new CappedRequest(null, -1, 0, pageSize);
    }
    if (rows != null && rows.kind() == Expression.Kind.MARKER && !parameters.values().named()) {
      return new CappedRequest(null, rows.marker(), most, pageSize);
    }
    return new CappedRequest(text(most, rows), -1, 0, pageSize);
  }

  /** Whether LIMIT is bound to an unset value, which Cassandra treats as no LIMIT. */
  private boolean isUnset(Expression rows) {
    Values values = parameters.values();
    return rows.kind() == Expression.Kind.MARKER && values.isUnset(rows.marker(), rows.name());
  }

  private @Nullable String text(int most, @Nullable Expression rows) {
    String cql = statement.cql();
    if (cql == null) {
      return null;
    }
    int from = select.limits().insertAt();
    int to = rows == null ? from : rows.span().end();
    return cql.substring(0, from) + " LIMIT " + most + " " + cql.substring(to);
  }
}
