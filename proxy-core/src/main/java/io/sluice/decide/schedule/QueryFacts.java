package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;

/**
 * The facts about a client request that the scheduler needs on arrival.
 *
 * @param priorityClass the class that the request waits in
 * @param table the table whose costs apply, for example {@code ks.tbl}; requests with equal names
 *     share what was learned
 * @param share the share of a contended node that the request uses
 * @param deadlineNanos when an answer becomes useless, on the scheduler's clock; {@link
 *     #NO_DEADLINE} without a deadline
 * @param rows rows that the request will probably read in all; at least 0
 * @param limit rows that the request returns at most; {@code Integer.MAX_VALUE} without a limit
 * @param width number of sub-requests that it will probably be cut into; at least 1
 * @param others the client's other reads; {@link OtherReads#NONE} for a range read
 * @param fingerprint a number that equal reads of one partition share, by which large answers are
 *     remembered; 0 for all other reads
 */
public record QueryFacts(
    PriorityClass priorityClass,
    String table,
    Share share,
    long deadlineNanos,
    double rows,
    int limit,
    int width,
    OtherReads others,
    long fingerprint) {

  /** The deadline of a request that may take any time. */
  public static final long NO_DEADLINE = Long.MAX_VALUE / 2;

  public QueryFacts {
    if (!(rows >= 0) || limit < 0 || width < 1) {
      throw new IllegalArgumentException(
          "rows " + rows + " and limit " + limit + " must be >= 0, width " + width + " >= 1");
    }
  }

  /**
   * Creates the facts of a read with the tenant's configured share and without a fingerprint, whose
   * client has no other reads.
   */
  public QueryFacts(
      PriorityClass priorityClass,
      String table,
      String tenant,
      long deadlineNanos,
      double rows,
      int limit,
      int width) {
    this(
        priorityClass,
        table,
        new Share(tenant, 0, false),
        deadlineNanos,
        rows,
        limit,
        width,
        OtherReads.NONE,
        0);
  }

  /** Returns the facts of a read of one partition. */
  public static QueryFacts point(String table, String tenant, long deadlineNanos) {
    return new QueryFacts(PriorityClass.POINT, table, tenant, deadlineNanos, 1, 1, 1);
  }

  /** Returns the facts of the same read with another share and width. */
  public QueryFacts with(Share newShare, int newWidth) {
    return new QueryFacts(
        priorityClass, table, newShare, deadlineNanos, rows, limit, newWidth, others, fingerprint);
  }

  /**
   * The share of a contended node that a request uses.
   *
   * @param tenant the tenant whose share it is, for example the role that logged in
   * @param weight the tenant's share; 0 for the configured share
   * @param last whether the request waits behind the tenant's other reads, until it is too old
   */
  public record Share(String tenant, double weight, boolean last) {

    public Share {
      if (!(weight >= 0)) {
        throw new IllegalArgumentException("weight " + weight + " must be >= 0");
      }
    }
  }

  /**
   * The other unfinished point reads of a point read's client.
   *
   * @param underWay their number; at least 0
   * @param latestNanos {@link Query#placeNanos} of the last of them; meaningless if there are none
   */
  public record OtherReads(int underWay, long latestNanos) {

    /** No other point read. */
    public static final OtherReads NONE = new OtherReads(0, 0);

    public OtherReads {
      if (underWay < 0) {
        throw new IllegalArgumentException("other reads " + underWay + " must be >= 0");
      }
    }
  }
}
