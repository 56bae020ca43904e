package io.sluice.exchange;

import io.sluice.accept.Client.PointReads;
import io.sluice.accept.ClientRequest;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.plan.Plan;
import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.QueryFacts.OtherReads;
import io.sluice.decide.schedule.QueryFacts.Share;
import io.sluice.statement.Statement;
import io.sluice.wire.RangeHint;
import org.jspecify.annotations.Nullable;

/** Describes a read that is not split to the scheduler and to the agents of nodes. */
final class ReadQuery {

  private static final String NO_TABLE = "";

  private ReadQuery() {}

  /** Returns the query by which the scheduler orders a read. */
  static Query of(
      ProxyContext context,
      ClientRequest request,
      Statement statement,
      Plan.Queue plan,
      long arrival) {
    long allowed = context.readTimeoutNanos(statement, plan.priorityClass());
    long deadline = arrival + statement.timeoutNanos(allowed);
    return context
        .scheduler()
        .query(
            new QueryFacts(
                plan.priorityClass(),
                costs(statement, plan),
                new Share(
                    statement.tenant(request.client()), statement.weight(), statement.isLast()),
                deadline,
                plan.rows(),
                plan.limit(),
                1,
                isPoint(plan) ? others(request.client().pointReads()) : OtherReads.NONE,
                plan.fingerprint()));
  }

  private static OtherReads others(PointReads reads) {
    return reads.underWay() == 0
        ? OtherReads.NONE
        : new OtherReads(reads.underWay(), reads.latestNanos());
  }

  /**
   * Returns the name under which the scheduler keeps the costs of the read. Unknown tables share
   * one name.
   */
  private static String costs(Statement statement, Plan.Queue plan) {
    String table = statement.classified().knownTable();
    Kind rows = rows(statement, plan);
    return table == null ? NO_TABLE : rows == null ? table : rows.costsOf(table);
  }

  static boolean isPoint(Plan.Queue plan) {
    return plan.priorityClass() == PriorityClass.POINT;
  }

  static boolean isRange(Plan.Queue plan) {
    return plan.priorityClass() == PriorityClass.RANGE;
  }

  /** Returns the kind of rows that the read returns; null for a read of partitions. */
  static @Nullable Kind rows(Statement statement, Plan.Queue plan) {
    return isRange(plan) ? Kind.of(statement.classified().select()) : null;
  }

  /**
   * Returns the hint for an agent. It has no width: the node finds out itself how many replicas the
   * read needs.
   */
  static RangeHint hint(Plan.Queue plan) {
    return new RangeHint(RangeHint.WIDTH_UNKNOWN, Math.round(plan.rows()));
  }
}
