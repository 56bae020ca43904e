package io.sluice.exchange.range;

import io.sluice.accept.Client;
import io.sluice.decide.predict.TableDensity.LargeRows;

/**
 * The memory that one page holds or expects to hold, accounted to the budget of all reads and to
 * its client. Not safe for several threads: its client's lane.
 */
final class PageMemory {

  /** The largest size of an answer: a small node can build several of this size at once. */
  private static final long ANSWER_BYTES = 8L << 20;

  /** The rows of an answer while the size of rows is unknown. */
  private static final int PROBED_ROWS = 1_000;

  private static final int UNKNOWN_ROW_BYTES = 256;

  private final BufferBudget budget;
  private final Client client;
  private final double knownRowBytes;
  private final double knownLargeBytes;
  private final LargeRows large = LargeRows.none();
  private long buffered;
  private long taken;
  private long away;
  private long rows;
  private long bytes;

  /** Creates the account of a page. */
  static PageMemory of(PageContext page) {
    return new PageMemory(
        page.split().budget(),
        page.page().client(),
        page.density().bytesPerRow(),
        page.density().largeRowBytes());
  }

  /**
   * Creates an account that holds nothing.
   *
   * @param client the client on whose account the buffered answers count
   * @param knownRowBytes the size of a row, learned from other reads; 0 when unknown
   * @param knownLargeBytes the size of a large row, learned from other reads
   */
  PageMemory(BufferBudget budget, Client client, double knownRowBytes, double knownLargeBytes) {
    this.budget = budget;
    this.client = client;
    this.knownRowBytes = knownRowBytes;
    this.knownLargeBytes = knownLargeBytes;
  }

  /** Counts an answer that has arrived. */
  void onAnswer(long answerRows, long answerBytes) {
    rows += answerRows;
    bytes += answerBytes;
    large.seen(answerRows, answerBytes);
  }

  /** Returns the rows that have arrived so far. */
  long rows() {
    return rows;
  }

  /** Estimates the size of a row from the rows that have arrived. */
  long rowBytes() {
    if (rows > 0) {
      return Math.max(1, bytes / rows);
    }
    return knownRowBytes > 0 ? Math.max(1, (long) knownRowBytes) : UNKNOWN_ROW_BYTES;
  }

  /**
   * Returns the most rows that one answer may have. A node builds the answer in its heap, in
   * several copies. The limit assumes the largest rows seen so far, not the mean.
   */
  int maxRows() {
    double rowBytes = Math.max(large.bytes(), rows > 0 ? 0 : knownLargeBytes);
    return rowBytes > 0 ? (int) Math.max(1, ANSWER_BYTES / Math.max(1, rowBytes)) : PROBED_ROWS;
  }

  /**
   * Takes memory for a future answer.
   *
   * @param cannotWait whether to take it even beyond the budget
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

  /** Whether {@code more} bytes can be taken now within the budget. */
  boolean hasRoom(long more) {
    return budget.hasRoom(more, taken);
  }

  /**
   * Replaces the estimate.
   *
   * @param held bytes that are buffered
   * @param toCome bytes that are still to come
   */
  void hold(long held, long toCome) {
    client.buffered(held - buffered);
    buffered = held;
    budget.take(held + toCome - taken);
    taken = held + toCome;
  }

  /**
   * Marks memory that was taken as that of pieces that wait at other proxies. A negative value ends
   * this.
   */
  void away(long bytes) {
    long change = Math.max(bytes, -away);
    away += change;
    budget.away(change);
  }

  /** Gives all memory back. */
  void release() {
    away(-away);
    hold(0, 0);
  }
}
