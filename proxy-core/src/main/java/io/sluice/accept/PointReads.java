package io.sluice.accept;

/** The point reads of one client in flight. Not safe for several threads: its client's lane. */
public final class PointReads {

  private int underWay;
  private long latestNanos;

  private PointReads() {}

  /** Returns the empty count of a new client. */
  public static PointReads none() {
    return new PointReads();
  }

  /** Returns how many point reads are in flight. */
  public int underWay() {
    return underWay;
  }

  /**
   * Returns the queue position of the point read that began last, in ns; meaningless when none is
   * in flight.
   */
  public long latestNanos() {
    return latestNanos;
  }

  /** Counts a point read that begins at this queue position. */
  public void begins(long placeNanos) {
    underWay++;
    latestNanos = placeNanos;
  }

  /** Counts the end of a point read. */
  public void ends() {
    underWay--;
  }
}
