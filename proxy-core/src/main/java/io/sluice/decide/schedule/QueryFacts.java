package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;

/**
 * The facts about a client request that the scheduler needs on arrival.
 *
 * @param priorityClass what it waits as
 * @param table whose costs it is estimated by, for example {@code ks.tbl}; requests with equal
 *     names share what was learned
 * @param tenant whose share of a contended node it uses, for example the role that logged in
 * @param deadlineNanos when an answer is of no use any more, on the scheduler's clock
 * @param rows rows it will probably read in all; at least 0
 * @param limit rows it asks for at most; {@code Integer.MAX_VALUE} when it names no limit
 * @param width sub-requests it will probably be cut into; at least 1
 * @param weight the tenant's share of a contended node; 0 for the one that is set for it
 * @param last whether it waits behind the tenant's other reads, as long as it is not too old
 * @param ahead point reads that the same client has under way, for a point read; at least 0
 * @param latestNanos where the last of these stands, {@link Query#placeNanos}; of no meaning for 0
 */
public record QueryFacts(
    PriorityClass priorityClass,
    String table,
    String tenant,
    long deadlineNanos,
    double rows,
    int limit,
    int width,
    double weight,
    boolean last,
    int ahead,
    long latestNanos) {

  public QueryFacts {
    if (!(weight >= 0)) {
      throw new IllegalArgumentException("weight " + weight + " must be >= 0");
    }
    if (ahead < 0) {
      throw new IllegalArgumentException("ahead " + ahead + " must be >= 0");
    }
    if (!(rows >= 0) || limit < 0 || width < 1) {
      throw new IllegalArgumentException(
          "rows " + rows + " and limit " + limit + " must be >= 0, width " + width + " >= 1");
    }
  }

  /** A read whose tenant has the share that is set for it, and that is queued as its cost says. */
  public QueryFacts(
      PriorityClass priorityClass,
      String table,
      String tenant,
      long deadlineNanos,
      double rows,
      int limit,
      int width) {
    this(priorityClass, table, tenant, deadlineNanos, rows, limit, width, 0, false, 0, 0);
  }

  /** A read of one partition. */
  public static QueryFacts point(String table, String tenant, long deadlineNanos) {
    return new QueryFacts(PriorityClass.POINT, table, tenant, deadlineNanos, 1, 1, 1);
  }

  /** A range read that goes to one node whole. */
  public static QueryFacts range(
      String table, String tenant, long deadlineNanos, double rows, int limit) {
    return new QueryFacts(PriorityClass.RANGE, table, tenant, deadlineNanos, rows, limit, 1);
  }
}
