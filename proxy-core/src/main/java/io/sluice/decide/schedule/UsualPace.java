package io.sluice.decide.schedule;

/**
 * The time that reads take at a node at present, over the time that their work should take: a read
 * is compared with it before it is said to have taken too long. Not safe for several threads.
 */
final class UsualPace {
  private static final double PACE = 0.05;

  /** Times the usual pace. */
  private static final double MUCH = 4;

  private double logarithm;

  /**
   * A read was answered. A light one that took much longer than it should makes all reads of its
   * table heavy for a while.
   *
   * @param tookNanos above 0
   * @param workNanos the work that was in it; above 0
   */
  void answered(QueueEntry entry, long tookNanos, double workNanos, long now) {
    if (entry.slotClass() == SlotClass.LIGHT
        && Math.log(tookNanos / (double) Math.max(1, entry.workNanos))
            > Math.log(MUCH) + Math.max(0, logarithm)) {
      entry.query.costs().distrust(tookNanos, now);
    }
    logarithm += PACE * (Math.log(tookNanos / workNanos) - logarithm);
  }
}
