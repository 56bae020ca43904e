package io.sluice.decide.predict;

import io.sluice.ring.TokenRange;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The rows of ranges of keys in byte order, which cannot be measured, so that what one range has
 * says nothing of a part of it: each is remembered by itself. That serves, since reads of such
 * rings are cut where owners change and nowhere else. Pure; not safe for several threads.
 */
final class OrderedRows {

  /** Ranges that are remembered; those used last. */
  static final int MOST = 256;

  private final Map<TokenRange, Long> byRange =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<TokenRange, Long> eldest) {
          return size() > MOST;
        }
      };

  boolean known() {
    return !byRange.isEmpty();
  }

  void learn(TokenRange range, long rows) {
    byRange.put(range, rows);
  }

  /** What the range had; else the partitions counted there; else what a range has on average. */
  double rows(TokenRange range, PublishedPartitions published) {
    Long rows = byRange.get(range);
    if (rows != null) {
      return rows;
    } else if (range.isEmpty()) {
      return 0;
    }
    return published.known()
        ? published.in(range)
        : byRange.values().stream().mapToLong(Long::longValue).average().orElse(0);
  }
}
