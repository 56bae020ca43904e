package io.sluice.exchange.range;

/**
 * The memory that one page holds, and that answers to come will take, as the budget of all reads is
 * told of it. Not safe for several threads: its client's lane.
 */
final class PageMemory {

  /** What an answer may take: several of this size at once are no danger to a small node. */
  private static final long ANSWER_BYTES = 8L << 20;

  /** Rows of an answer whose size nobody can tell. */
  private static final int PROBED_ROWS = 1_000;

  private static final int UNKNOWN_ROW_BYTES = 256;

  private final BufferBudget budget;
  private final double knownRowBytes;
  private long taken;
  private long rows;
  private long bytes;

  /**
   * Holds nothing.
   *
   * @param knownRowBytes the size of a row, by answers to other reads; 0 when it is not known
   */
  PageMemory(BufferBudget budget, double knownRowBytes) {
    this.budget = budget;
    this.knownRowBytes = knownRowBytes;
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
    if (rows > 0) {
      return Math.max(1, bytes / rows);
    }
    return knownRowBytes > 0 ? Math.max(1, (long) knownRowBytes) : UNKNOWN_ROW_BYTES;
  }

  /** Rows that one answer may have: a node builds it in its heap, several times over. */
  int mostRows() {
    boolean known = rows > 0 || knownRowBytes > 0;
    return known ? (int) Math.max(1, ANSWER_BYTES / rowBytes()) : PROBED_ROWS;
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
