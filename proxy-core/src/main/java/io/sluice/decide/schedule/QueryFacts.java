package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;

/**
 * The facts about a client request that the scheduler needs on arrival.
 *
 * @param priorityClass the class that the request waits in
 * @param table the table whose costs apply, for example {@code ks.tbl}; requests with equal names
 *     share what was learned
 * @param tenant the tenant whose share of a contended node the request uses, for example the role
 *     that logged in
 * @param deadlineNanos when an answer becomes useless, on the scheduler's clock
 * @param rows rows that the request will probably read in all; at least 0
 * @param limit rows that the request returns at most; {@code Integer.MAX_VALUE} without a limit
 * @param width number of sub-requests that it will probably be cut into; at least 1
 * @param weight the tenant's share of a contended node; 0 for the configured share
 * @param last whether the request waits behind the tenant's other reads, until it is too old
 * @param ahead for a point read, the other unfinished point reads of the same client; at least 0
 * @param latestNanos {@link Query#placeNanos} of the last of these; meaningless when {@code ahead}
 *     is 0
 * @param fingerprint a number that equal reads of one partition share, by which large answers are
 *     remembered; 0 for all other reads
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
    long latestNanos,
    long fingerprint) {

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

  /**
   * Creates the facts of a read with the tenant's configured share, which is queued by its cost.
   */
  public QueryFacts(
      PriorityClass priorityClass,
      String table,
      String tenant,
      long deadlineNanos,
      double rows,
      int limit,
      int width) {
    this(priorityClass, table, tenant, deadlineNanos, rows, limit, width, 0, false);
  }

  /** Creates the facts of a read without a fingerprint, whose client has no other point reads. */
  public QueryFacts(
      PriorityClass priorityClass,
      String table,
      String tenant,
      long deadlineNanos,
      double rows,
      int limit,
      int width,
      double weight,
      boolean last) {
    this(priorityClass, table, tenant, deadlineNanos, rows, limit, width, weight, last, 0, 0, 0);
  }

  /** Returns the facts of a read of one partition. */
  public static QueryFacts point(String table, String tenant, long deadlineNanos) {
    return new QueryFacts(PriorityClass.POINT, table, tenant, deadlineNanos, 1, 1, 1);
  }

  /** Returns the facts of a range read that goes to one node whole. */
  public static QueryFacts range(
      String table, String tenant, long deadlineNanos, double rows, int limit) {
    return new QueryFacts(PriorityClass.RANGE, table, tenant, deadlineNanos, rows, limit, 1);
  }
}
