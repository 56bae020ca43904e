package io.sluice.memory;

/**
 * Bytes that one holder has, as a part of a {@link MemoryBudget}. Changed on the holder's lane
 * only.
 */
final class MemoryCount {

  /** A smaller change is not told to the budget, which all lanes share. */
  private static final long QUANTUM = 1024;

  private final MemoryBudget budget;
  private long told;

  MemoryCount(MemoryBudget budget) {
    this.budget = budget;
  }

  /**
   * Sets the bytes that are held.
   *
   * @param now at least 0; the budget knows it to a kilobyte, and 0 exactly
   */
  void holds(long now) {
    long change = now - told;
    if (change != 0 && (now == 0 || Math.abs(change) >= QUANTUM)) {
      told = now;
      budget.add(change);
    }
  }

  /** The budget was given so many bytes back in advance. */
  void returned(long bytes) {
    told -= bytes;
  }
}
