package io.sluice.exchange.range;

import io.sluice.decide.predict.LargeRows;

/**
 * The memory that one page holds, and that answers to come will take, as the budget of all reads is
 * told of it. Not safe for several threads: its client's lane.
 */
final class PageMemory {

  /** What an answer may take: several of this size at once are no danger to a small node. */
  private static final long ANSWER_BYTES = 8L << 20;

  /** Rows of an answer of unknown size. */
  private static final int PROBED_ROWS = 1_000;

  private static final int UNKNOWN_ROW_BYTES = 256;

  private final BufferBudget budget;
  private final double knownRowBytes;
  private final double knownLargeBytes;
  private final LargeRows large = LargeRows.none();
  private long taken;
  private long rows;
  private long bytes;

  /**
   * Holds nothing.
   *
   * @param knownRowBytes the size of a row, by answers to other reads; 0 when it is not known
   * @param knownLargeBytes the size of a row where rows are large, by the same answers
   */
  PageMemory(BufferBudget budget, double knownRowBytes, double knownLargeBytes) {
    this.budget = budget;
    this.knownRowBytes = knownRowBytes;
    this.knownLargeBytes = knownLargeBytes;
  }

  /** An answer came. */
  void came(long answerRows, long answerBytes) {
    rows += answerRows;
    bytes += answerBytes;
    large.seen(answerRows, answerBytes);
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

  /**
   * Rows that one answer may have: a node builds it in its heap, several times over. It may be of
   * the largest rows that the table has shown, not of the mean.
   */
  int mostRows() {
    double rowBytes = Math.max(large.bytes(), rows > 0 ? 0 : knownLargeBytes);
    return rowBytes > 0 ? (int) Math.max(1, ANSWER_BYTES / Math.max(1, rowBytes)) : PROBED_ROWS;
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

  /** Whether so much can be taken now without being let beyond the budget. */
  boolean hasRoom(long more) {
    return budget.hasRoom(more, taken);
  }

  /** Corrects what was thought: so much is held, or still to come. */
  void holds(long now) {
    budget.take(now - taken);
    taken = now;
  }
}
