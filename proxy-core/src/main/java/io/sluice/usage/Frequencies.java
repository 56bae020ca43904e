package io.sluice.usage;

/**
 * A count-min sketch: estimates how often each of any number of things was seen recently, never too
 * low. All counts are halved from time to time. Not safe for several threads.
 */
final class Frequencies {

  private static final int ROWS = 4;
  private static final int WIDTH_BITS = 13;
  private static final int WIDTH = 1 << WIDTH_BITS;

  /** Odd numbers that spread a hash over a row. */
  private static final long[] SPREAD = {
    0x9E3779B97F4A7C15L, 0xC2B2AE3D27D4EB4FL, 0x165667B19E3779F9L, 0xD6E8FEB86659FD93L
  };

  private final short[] counts = new short[ROWS * WIDTH];
  private int seen;

  /**
   * Counts a thing.
   *
   * @param weight how often it counts, at least 1 and small
   * @return the estimate of how often it was seen, never too low
   */
  int add(long hash, int weight) {
    if (++seen > 2 * WIDTH) {
      halve();
    }
    int least = Integer.MAX_VALUE;
    for (int row = 0; row < ROWS; row++) {
      int at = row * WIDTH + (int) ((hash * SPREAD[row]) >>> (Long.SIZE - WIDTH_BITS));
      int count = Math.min(Short.MAX_VALUE, counts[at] + weight);
      counts[at] = (short) count;
      least = Math.min(least, count);
    }
    return least;
  }

  private void halve() {
    seen = 0;
    for (int i = 0; i < counts.length; i++) {
      counts[i] >>= 1;
    }
  }
}
