package io.sluice.agent.queue;

/** The properties of a task that determine its place in the order of a stage. Immutable. */
public final class TaskClass {
  /** The deadline of a task without one. */
  public static final long NO_DEADLINE = Long.MAX_VALUE;

  private static final int WIDEST = 0xffff;
  private static final long MAX_ROWS = 0xffff_ffffL;

  private final Priority priority;
  private final long rank;
  private final long deadlineNanos;
  private final boolean widthTold;

  private TaskClass(Priority priority, long rank, long deadlineNanos, boolean widthTold) {
    this.priority = priority;
    this.rank = rank;
    this.deadlineNanos = deadlineNanos;
    this.widthTold = widthTold;
  }

  /**
   * Returns the class of a point read.
   *
   * @param priority {@link Priority#LOCAL_POINT} or {@link Priority#REMOTE_POINT}
   * @param deadlineNanos time at which Cassandra drops it, on the clock of {@link System#nanoTime},
   *     or {@link #NO_DEADLINE}
   */
  public static TaskClass point(Priority priority, long deadlineNanos) {
    if (priority == Priority.RANGE) {
      throw new IllegalArgumentException("a point read cannot have the priority of range reads");
    }
    return new TaskClass(priority, 0, deadlineNanos, false);
  }

  /**
   * Returns the class of a range read.
   *
   * @param width number of replicas' ranges that the whole read covers; clamped to 1..65535
   * @param rows number of rows that it may still read; clamped to 0..2³²−1
   * @param deadlineNanos as for {@link #point}
   */
  public static TaskClass range(int width, long rows, long deadlineNanos) {
    return range(width, rows, deadlineNanos, true);
  }

  /**
   * Returns the class of a range read of unknown width.
   *
   * @param guessedWidth used instead of the width; clamped to 1..65535
   * @param rows as for {@link #range}
   * @param deadlineNanos as for {@link #point}
   */
  public static TaskClass rangeOfGuessedWidth(int guessedWidth, long rows, long deadlineNanos) {
    return range(guessedWidth, rows, deadlineNanos, false);
  }

  private static TaskClass range(int width, long rows, long deadlineNanos, boolean told) {
    long wide = Math.max(1, Math.min(width, WIDEST));
    long asked = Math.max(0, Math.min(rows, MAX_ROWS));
    return new TaskClass(Priority.RANGE, (wide << 32) | asked, deadlineNanos, told);
  }

  /** Returns the priority. */
  public Priority priority() {
    return priority;
  }

  /**
   * Returns the rank within the priority, lower first: width, then rows. Of equal ranks, the first
   * to arrive goes first.
   */
  public long rank() {
    return rank;
  }

  /** Whether it is a range read whose width was not guessed. */
  boolean widthTold() {
    return widthTold;
  }

  /** Returns the time at which Cassandra drops the task. */
  public long deadlineNanos() {
    return deadlineNanos;
  }

  @Override
  public String toString() {
    return priority + "/" + (rank >> 32) + "/" + (rank & MAX_ROWS);
  }
}
