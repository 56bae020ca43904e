package io.sluice.agent.pin;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Counts the recent reads of each table: a new read counts one, half after the half-life, and so
 * on. Not safe for several threads.
 */
final class RecentReads {
  /** The count below which a table has no reads. */
  private static final double FORGOTTEN = 0.5;

  private final long halfLifeNanos;
  private final Map<String, Long> counters = new HashMap<>();
  private final Map<String, Double> recent = new HashMap<>();
  private long lastNanos;
  private boolean began;

  RecentReads(long halfLifeNanos) {
    this.halfLifeNanos = halfLifeNanos;
  }

  /**
   * Takes a sample of the tables' counters. A counter below its last value has restarted. Missing
   * tables are forgotten.
   */
  void sample(Map<String, Long> now, long nanos) {
    double left = began ? Math.pow(0.5, (double) (nanos - lastNanos) / halfLifeNanos) : 1;
    began = true;
    lastNanos = nanos;
    Set<String> known = now.keySet();
    counters.keySet().retainAll(known);
    recent.keySet().retainAll(known);
    now.forEach(
        (table, count) -> {
          long before = counters.getOrDefault(table, 0L);
          long fresh = count >= before ? count - before : count;
          double sum = recent.getOrDefault(table, 0.0) * left + fresh;
          if (sum < FORGOTTEN) {
            recent.remove(table);
          } else {
            recent.put(table, sum);
          }
          counters.put(table, count);
        });
  }

  /** Returns the recent reads by table, without tables that have none. */
  Map<String, Double> byTable() {
    return Collections.unmodifiableMap(recent);
  }
}
