package io.sluice.agent.classify;

import io.sluice.agent.hint.Hint;
import io.sluice.agent.queue.Priority;
import io.sluice.agent.queue.TaskClass;
import org.jspecify.annotations.Nullable;

/** Classifies Cassandra's read commands. Safe for any thread. */
final class ReadCommands {
  private static final String POINT = "org.apache.cassandra.db.SinglePartitionReadCommand";
  private static final String RANGE = "org.apache.cassandra.db.PartitionRangeReadCommand";

  /** Rows by which the guessed width of a range read grows by one replica. */
  private static final int ROWS_OF_A_REPLICA = 1000;

  private enum Kind {
    POINT,
    RANGE,
    OTHER
  }

  private final ClassValue<Kind> kinds =
      new ClassValue<Kind>() {
        @Override
        protected Kind computeValue(Class<?> type) {
          if (Member.isA(type, ReadCommands.POINT)) {
            return Kind.POINT;
          }
          return Member.isA(type, ReadCommands.RANGE) ? Kind.RANGE : Kind.OTHER;
        }
      };

  /** The method of a command that returns its limits. */
  private final ClassValue<Accessor> limits = Accessor.ofMethod("limits");

  /** The method of limits that returns the largest number of rows. */
  private final ClassValue<Accessor> count = Accessor.ofMethod("count");

  /** Returns the class of a command in the read stage; null if it is not a read of a table. */
  @Nullable TaskClass classify(
      @Nullable Object command, boolean local, long deadlineNanos, @Nullable Hint hint)
      throws ReflectiveOperationException {
    if (command == null) {
      return null;
    }
    switch (kinds.get(command.getClass())) {
      case POINT:
        return TaskClass.point(local ? Priority.LOCAL_POINT : Priority.REMOTE_POINT, deadlineNanos);
      case RANGE:
        return range(rowsOf(command), deadlineNanos, hint);
      case OTHER:
        return null;
    }
    throw new AssertionError(command);
  }

  /** Returns the class of a range read whose command is not decoded yet. */
  static TaskClass undecodedRange(long deadlineNanos, @Nullable Hint hint) {
    return range(Integer.MAX_VALUE, deadlineNanos, hint);
  }

  /** Returns the class of a range read for at most {@code rows} rows. */
  static TaskClass range(long rows, long deadlineNanos, @Nullable Hint hint) {
    long left = hint == null ? rows : Math.min(rows, hint.rows());
    if (hint != null && hint.hasWidth()) {
      return TaskClass.range(hint.width(), left, deadlineNanos);
    }
    long width = 1 + left / ROWS_OF_A_REPLICA;
    return TaskClass.rangeOfGuessedWidth(
        (int) Math.min(width, Integer.MAX_VALUE), left, deadlineNanos);
  }

  private int rowsOf(Object command) throws ReflectiveOperationException {
    Object limit = limits.get(command.getClass()).of(command);
    Object rows = count.get(limit.getClass()).of(limit);
    return (Integer) rows;
  }
}
