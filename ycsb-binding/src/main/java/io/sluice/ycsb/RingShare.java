package io.sluice.ycsb;

import java.math.BigInteger;

/** The share of the Murmur3 ring that holds a number of rows, if rows are spread evenly. */
final class RingShare {
  private static final BigInteger RING = BigInteger.ONE.shiftLeft(64);
  private static final BigInteger LAST = BigInteger.valueOf(Long.MAX_VALUE);

  private RingShare() {}

  /**
   * The last token of the share that begins at {@code from}; it does not pass the ring's end.
   *
   * @param rows how many rows it should hold, at least 1
   * @param all how many rows the ring has, at least 1
   */
  static long end(long from, long rows, long all) {
    BigInteger width = RING.multiply(BigInteger.valueOf(rows)).divide(BigInteger.valueOf(all));
    return BigInteger.valueOf(from).add(width).min(LAST).longValueExact();
  }
}
