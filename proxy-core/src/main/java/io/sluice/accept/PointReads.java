package io.sluice.accept;

/** The point reads that a client has under way. Not safe for several threads: its client's lane. */
public final class PointReads {

  private int underWay;
  private long latestNanos;

  private PointReads() {}

  /** Those of a client that has asked nothing yet. */
  public static PointReads none() {
    return new PointReads();
  }

  /** How many there are. */
  public int underWay() {
    return underWay;
  }

  /** Where the one that began last stands in the queues; of no meaning without one. */
  public long latestNanos() {
    return latestNanos;
  }

  /** One more begins, which stands there. */
  public void begins(long placeNanos) {
    underWay++;
    latestNanos = placeNanos;
  }

  /** One has ended. */
  public void ends() {
    underWay--;
  }
}
