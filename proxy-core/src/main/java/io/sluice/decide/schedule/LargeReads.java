package io.sluice.decide.schedule;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The sizes of the latest answers to reads of one partition that returned much. A read is named by
 * a fingerprint: a hash of its statement and its partition, so that another statement on the same
 * partition has its own size. Each fingerprint has one cell, which it shares with others: the
 * latest large answer takes the cell, and a small answer frees it. The memory is fixed. Safe for
 * any thread, without locks.
 */
final class LargeReads {
  private static final int CELLS = 1 << 14;

  /** The low bits of a cell have the size, the others the same bits of the fingerprint. */
  private static final int SIZE_BITS = 24;

  private static final long SIZE_MASK = (1L << SIZE_BITS) - 1;

  /** Sizes are kept in units of 64 bytes, up to 1 GiB. */
  private static final int UNIT_BITS = 6;

  private final AtomicLongArray cells = new AtomicLongArray(CELLS);

  /** Returns the size of the latest answer, in bytes; 0 when that was small or is unknown. */
  long bytes(long fingerprint) {
    long cell = cells.get(index(fingerprint));
    return isOf(cell, fingerprint) ? (cell & SIZE_MASK) << UNIT_BITS : 0;
  }

  /** Remembers a large answer. */
  void large(long fingerprint, long bytes) {
    long size = Math.min(bytes >>> UNIT_BITS, SIZE_MASK);
    cells.set(index(fingerprint), (fingerprint & ~SIZE_MASK) | size);
  }

  /** Forgets the read after a small answer. */
  void small(long fingerprint) {
    int index = index(fingerprint);
    long cell = cells.get(index);
    if (cell != 0 && isOf(cell, fingerprint)) {
      cells.compareAndSet(index, cell, 0);
    }
  }

  private static boolean isOf(long cell, long fingerprint) {
    return ((cell ^ fingerprint) & ~SIZE_MASK) == 0;
  }

  private static int index(long fingerprint) {
    return (int) fingerprint & (CELLS - 1);
  }
}
