package io.sluice.ycsb;

import java.math.BigInteger;

/** Computes the share of the Murmur3 ring that holds a number of evenly distributed rows. */
final class RingShare {
  private static final BigInteger RING = BigInteger.ONE.shiftLeft(64);
  private static final BigInteger LAST = BigInteger.valueOf(Long.MAX_VALUE);

  private RingShare() {}

  /**
   * Returns the last token of the share that begins at {@code from}, at most the end of the ring.
   *
   * @param rows rows that the share should hold, at least 1
   * @param all rows of the ring, at least 1
   */
  static long end(long from, long rows, long all) {
    BigInteger width = RING.multiply(BigInteger.valueOf(rows)).divide(BigInteger.valueOf(all));
    return BigInteger.valueOf(from).add(width).min(LAST).longValueExact();
  }
}
