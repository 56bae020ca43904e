package io.sluice.agent.queue;

/** The facts of a task that the order of a stage depends on. Immutable. */
public final class TaskClass {
  /** The deadline of a task that does not tell it. */
  public static final long NO_DEADLINE = Long.MAX_VALUE;

  private static final int WIDEST = 0xffff;
  private static final long NEVER_QUICK = 0xffff_ffffL;

  private final Lane lane;
  private final long rank;
  private final long deadlineNanos;
  private final boolean widthTold;

  private TaskClass(Lane lane, long rank, long deadlineNanos, boolean widthTold) {
    this.lane = lane;
    this.rank = rank;
    this.deadlineNanos = deadlineNanos;
    this.widthTold = widthTold;
  }

  /**
   * A point read.
   *
   * @param lane {@link Lane#LOCAL_POINT} or {@link Lane#REMOTE_POINT}
   * @param deadlineNanos when it will be dropped, on the clock of {@link System#nanoTime}, or
   *     {@link #NO_DEADLINE}
   */
  public static TaskClass point(Lane lane, long deadlineNanos) {
    if (lane == Lane.RANGE) {
      throw new IllegalArgumentException("a point read has no place among the ranges");
    }
    return new TaskClass(lane, 0, deadlineNanos, false);
  }

  /**
   * A range read.
   *
   * @param width how many replicas' ranges the whole read is sent to; clamped to 1..65535
   * @param rows how many rows it may still ask for; clamped to 0..2³²−1
   * @param deadlineNanos as for {@link #point}
   */
  public static TaskClass range(int width, long rows, long deadlineNanos) {
    return range(width, rows, deadlineNanos, true);
  }

  /**
   * A range read of unknown width.
   *
   * @param guessedWidth stands for it; clamped to 1..65535
   * @param rows as for {@link #range}
   * @param deadlineNanos as for {@link #point}
   */
  public static TaskClass rangeOfGuessedWidth(int guessedWidth, long rows, long deadlineNanos) {
    return range(guessedWidth, rows, deadlineNanos, false);
  }

  private static TaskClass range(int width, long rows, long deadlineNanos, boolean told) {
    long wide = Math.max(1, Math.min(width, WIDEST));
    long asked = Math.max(0, Math.min(rows, NEVER_QUICK));
    return new TaskClass(Lane.RANGE, (wide << 32) | asked, deadlineNanos, told);
  }

  /** Where it waits. */
  public Lane lane() {
    return lane;
  }

  /** Its place in its lane, lower first: width, then rows. Arrival decides between equals. */
  public long rank() {
    return rank;
  }

  /** Whether it is a range read whose width is not a guess. */
  boolean widthTold() {
    return widthTold;
  }

  /** When it will be dropped. */
  public long deadlineNanos() {
    return deadlineNanos;
  }

  @Override
  public String toString() {
    return lane + "/" + (rank >> 32) + "/" + (rank & NEVER_QUICK);
  }
}
