package io.sluice;

/**
 * The memory that one page holds, and that answers to come will take, as the budget of all reads is
 * told of it. Used on its client's lane only.
 */
final class PageMemory {

  private static final int FIRST_ROW_BYTES = 256;

  private final BufferBudget budget;
  private long taken;
  private long rows;
  private long bytes;

  PageMemory(BufferBudget budget) {
    this.budget = budget;
  }

  /** An answer came. */
  void came(long answerRows, long answerBytes) {
    rows += answerRows;
    bytes += answerBytes;
  }

  /** Rows that came so far. */
  long rows() {
    return rows;
  }

  /** The size of a row, by those that came. */
  long rowBytes() {
    return rows == 0 ? FIRST_ROW_BYTES : Math.max(1, bytes / rows);
  }

  /**
   * Takes memory for an answer to come.
   *
   * @param cannotWait whether it is taken even if there is none left
   * @return whether it was taken
   */
  boolean take(long more, boolean cannotWait) {
    if (cannotWait) {
      budget.take(more);
    } else if (!budget.tryTake(more, taken)) {
      return false;
    }
    taken += more;
    return true;
  }

  /** Corrects what was thought: so much is held, or still to come. */
  void holds(long now) {
    budget.take(now - taken);
    taken = now;
  }
}
