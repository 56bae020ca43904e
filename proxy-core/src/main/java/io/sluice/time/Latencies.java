package io.sluice.time;

/**
 * A histogram of durations with four buckets per power of two, so that a quantile is off by at most
 * an eighth. Not safe for several threads.
 */
public final class Latencies {

  /** Durations below 2^10 ns, about a microsecond, are in the first bucket. */
  private static final int MIN_BITS = 10;

  /** Durations from 2^42 ns on, more than an hour, are in the last bucket. */
  private static final int MAX_BITS = 42;

  private static final int PARTS = 4;
  private static final int PART_BITS = 2;

  private final long[] counts = new long[(MAX_BITS - MIN_BITS) * PARTS];

  /** Counts a duration, in ns. */
  public void add(long nanos) {
    counts[bucket(nanos)]++;
  }

  /** Adds all counts of {@code others}. */
  public void add(Latencies others) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += others.counts[i];
    }
  }

  private static int bucket(long nanos) {
    int bits = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
    if (nanos <= 0 || bits < MIN_BITS) {
      return 0;
    } else if (bits >= MAX_BITS) {
      return (MAX_BITS - MIN_BITS) * PARTS - 1;
    }
    int part = (int) (nanos >>> (bits - PART_BITS)) & (PARTS - 1);
    return (bits - MIN_BITS) * PARTS + part;
  }

  /** Returns how many durations were counted. */
  public long size() {
    long all = 0;
    for (long count : counts) {
      all += count;
    }
    return all;
  }

  /**
   * Returns the duration in ns that this share of all does not exceed, as the middle of its bucket;
   * 0 when nothing was counted.
   *
   * @param share the share, above 0 and at most 1
   */
  public long quantile(double share) {
    long all = size();
    long rank = (long) Math.ceil(all * share);
    for (int i = 0; i < counts.length && all > 0; i++) {
      rank -= counts[i];
      if (rank <= 0) {
        return middle(i);
      }
    }
    return 0;
  }

  private static long middle(int bucket) {
    int bits = bucket / PARTS + MIN_BITS;
    long width = 1L << (bits - PART_BITS);
    return (1L << bits) + (bucket % PARTS) * width + width / 2;
  }
}
