package io.sluice.agent.pin;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Counts the recent reads of each table: a read counts one when it is new, half after the half-life
 * and so on. Not safe for several threads.
 */
final class RecentReads {
  /** Below this a table counts as not read. */
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
   * Takes what the tables' counters show; a counter that is lower than before began anew. A table
   * that is missing is forgotten.
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

  /** Recent reads by table; those without any are missing. */
  Map<String, Double> byTable() {
    return Collections.unmodifiableMap(recent);
  }
}
