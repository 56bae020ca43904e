package io.sluice.memory;

import java.util.function.LongConsumer;

/**
 * The bytes of one holder, as a part of a {@link MemoryBudget}. Changed on the holder's lane only.
 */
final class MemoryCount {

  /** The smallest change that is passed to the budget, which all lanes share. */
  private static final long QUANTUM = 1024;

  private final LongConsumer all;
  private long told;

  /**
   * Creates a part of 0 bytes.
   *
   * @param all adds to the bytes of all holders
   */
  MemoryCount(LongConsumer all) {
    this.all = all;
  }

  /**
   * Sets the bytes that the holder has now.
   *
   * @param now at least 0; the budget knows it to within a kilobyte, and 0 exactly
   */
  void holds(long now) {
    long change = now - told;
    if (change != 0 && (now == 0 || Math.abs(change) >= QUANTUM)) {
      told = now;
      all.accept(change);
    }
  }

  /** Corrects the count after the budget was given this many bytes back in advance. */
  void returned(long bytes) {
    told -= bytes;
  }
}
