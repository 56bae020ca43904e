package io.sluice.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.ring.TableName;
import io.sluice.time.NanoClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The tables whose estimates are read periodically, and the order of the readings: new tables come
 * before tables that have been read already. Tables with unchanged estimates are read less often.
 * Safe for any thread.
 */
final class FollowedTables {

  /** Maximum number of followed tables: those that were wanted last. */
  static final int MAX_TABLES = 1_000;

  /**
   * Maximum number of tables that wait for their first reading. Further tables are ignored
   * meanwhile.
   */
  static final int MAX_WAITING = 200;

  /**
   * Maximum number of remembered tables. They are no longer followed, and are not read again at
   * once when they are wanted again.
   */
  static final int MAX_REMEMBERED = 20_000;

  static final long SHORTEST_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Cassandra updates its estimates every five minutes. */
  static final long LONGEST_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(5);

  /**
   * A table that is to be read.
   *
   * @param at the time of the reading
   * @param interval the time since the last reading, in ns; 0 for the first one
   */
  record Due(TableName table, long at, long interval) {}

  private final NanoClock clock;

  @GuardedBy("this")
  private final Map<TableName, Boolean> followed = new LinkedHashMap<>(16, 0.75f, true);

  @GuardedBy("this")
  private final Map<TableName, Long> remembered = new LinkedHashMap<>();

  @GuardedBy("this")
  private final Queue<TableName> fresh = new ArrayDeque<>();

  @GuardedBy("this")
  private final List<TableName> dropped = new ArrayList<>();

  @GuardedBy("this")
  private final PriorityQueue<Due> again = new PriorityQueue<>(FollowedTables::compareTimes);

  /** Compares by the difference, because the clock may overflow. */
  private static int compareTimes(Due a, Due b) {
    return Long.signum(a.at() - b.at());
  }

  /** Follows no table yet. */
  FollowedTables(NanoClock clock) {
    this.clock = clock;
  }

  /**
   * Follows a table from now on, unless too many tables wait for their first reading, or it was
   * followed a short time ago.
   */
  synchronized void want(TableName table) {
    if (followed.get(table) != null || fresh.size() >= MAX_WAITING) {
      return;
    }
    Long until = remembered.remove(table);
    if (until != null && clock.nanoTime() - until < 0) {
      remembered.put(table, until);
      return;
    }
    followed.put(table, true);
    fresh.add(table);
    if (followed.size() > MAX_TABLES) {
      TableName oldest = followed.keySet().iterator().next();
      followed.remove(oldest);
      dropped.add(oldest);
      remember(oldest);
    }
  }

  @GuardedBy("this")
  private void remember(TableName table) {
    remembered.put(table, clock.nanoTime() + LONGEST_INTERVAL_NANOS);
    if (remembered.size() > MAX_REMEMBERED) {
      remembered.remove(remembered.keySet().iterator().next());
    }
  }

  /** Returns the tables that have given way to others since the last call. */
  synchronized List<TableName> takeDropped() {
    List<TableName> all = List.copyOf(dropped);
    dropped.clear();
    return all;
  }

  synchronized boolean contains(TableName table) {
    return followed.containsKey(table);
  }

  /** Follows a table no longer, until it is wanted again. */
  synchronized void forget(TableName table) {
    followed.remove(table);
  }

  /** Whether {@link #next} may return a table. */
  synchronized boolean isAnyDue() {
    return !fresh.isEmpty() || isFirstDue();
  }

  @GuardedBy("this")
  private boolean isFirstDue() {
    Due first = again.peek();
    return first != null && first.at() - clock.nanoTime() <= 0;
  }

  /** Removes and returns the table that is to be read now, or null if there is none. */
  synchronized @Nullable Due next() {
    while (isAnyDue()) {
      TableName first = fresh.poll();
      Due next = first == null ? again.remove() : new Due(first, 0, 0);
      if (followed.containsKey(next.table())) {
        return next;
      }
    }
    return null;
  }

  /**
   * Schedules the next reading of a table after its last one.
   *
   * @param changed whether its estimates have changed
   */
  synchronized void readAgain(Due last, boolean changed) {
    long interval =
        changed
            ? SHORTEST_INTERVAL_NANOS
            : Math.max(
                SHORTEST_INTERVAL_NANOS, Math.min(LONGEST_INTERVAL_NANOS, last.interval() * 2));
    again.add(new Due(last.table(), clock.nanoTime() + interval, interval));
  }
}
