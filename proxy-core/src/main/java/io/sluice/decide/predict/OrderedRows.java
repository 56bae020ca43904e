package io.sluice.decide.predict;

import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The rows of ranges of keys in byte order. Such ranges cannot be measured, so the rows of a range
 * say nothing about a part of it: each range is remembered by itself. That suffices because reads
 * of such rings are cut only where owners change. A range is identified by a hash of 64 bits, since
 * keys may be long: twenty bytes per range. Pure. Not safe for several threads.
 */
final class OrderedRows {

  /** Largest number of ranges; the least recently used are evicted. */
  static final int MAX = 256;

  private static final int FIRST = 8;
  private static final long HASH_BASE = 0xcbf29ce484222325L;
  private static final long HASH_PRIME = 0x100000001b3L;

  private int count;
  private int now;
  private long[] ranges = {};
  private long[] rows = {};
  private int[] usedAt = {};

  boolean known() {
    return count > 0;
  }

  void learn(TokenRange range, long found) {
    long hash = hash(range);
    int at = find(hash);
    if (at < 0) {
      at = count < MAX ? added() : oldest();
      ranges[at] = hash;
    }
    rows[at] = found;
    usedAt[at] = now++;
  }

  private int added() {
    if (count == ranges.length) {
      int length = Math.max(FIRST, count * 2);
      ranges = Arrays.copyOf(ranges, length);
      rows = Arrays.copyOf(rows, length);
      usedAt = Arrays.copyOf(usedAt, length);
    }
    return count++;
  }

  private int oldest() {
    int oldest = 0;
    for (int i = 1; i < count; i++) {
      oldest = usedAt[i] - usedAt[oldest] < 0 ? i : oldest;
    }
    return oldest;
  }

  private int find(long hash) {
    for (int i = 0; i < count; i++) {
      if (ranges[i] == hash) {
        return i;
      }
    }
    return -1;
  }

  private static long hash(TokenRange range) {
    return hash(hash(HASH_BASE, range.after()) * HASH_PRIME, range.upTo());
  }

  /** Hashes a token by FNV-1a over its CQL text. */
  private static long hash(long start, @Nullable Token token) {
    long hash = start;
    String text = token == null ? "" : token.toCql();
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * HASH_PRIME;
    }
    return hash;
  }

  /**
   * Returns the rows of the range; if unknown, the partitions counted there; without counts, the
   * average of all known ranges.
   */
  double rows(TokenRange range, PublishedPartitions published) {
    int at = find(hash(range));
    if (at >= 0) {
      usedAt[at] = now++;
      return rows[at];
    } else if (range.isEmpty()) {
      return 0;
    }
    return published.known()
        ? published.in(range)
        : Arrays.stream(rows, 0, count).average().orElse(0);
  }
}
