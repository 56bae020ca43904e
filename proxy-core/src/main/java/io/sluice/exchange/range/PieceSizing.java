package io.sluice.exchange.range;

import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.progress.PageProgress;
import io.sluice.decide.share.ShareRule;
import io.sluice.wire.RangeHint;
import org.jspecify.annotations.Nullable;

/**
 * The amount that each piece of a page asks for at once, by the rows that are missing and the
 * memory that is left. Not safe for several threads: its client's lane.
 */
final class PieceSizing {

  /** Rows that a piece of a read without page is asked for at a time. */
  private static final int ROWS_AT_A_TIME = 5000;

  /** Work that a piece may do for others whatever its own size. */
  private static final double CARRIED_MICROS = 5_000;

  private final PageContext page;
  private final PageProgress progress;
  private final PageMemory memory;
  private final @Nullable RangeHint whole;

  PieceSizing(PageContext page, PageProgress progress, PageMemory memory) {
    this(page, progress, memory, null);
  }

  /**
   * The sizes of pieces of a page that is a part of another proxy's read.
   *
   * @param whole the size of that read
   */
  PieceSizing(
      PageContext page, PageProgress progress, PageMemory memory, @Nullable RangeHint whole) {
    this.page = page;
    this.progress = progress;
    this.memory = memory;
    this.whole = whole;
  }

  /**
   * Rows that a piece is asked for first, now that a node has room for it; 0 when none is missing.
   */
  int firstRows(int number) {
    return pageSize(progress.rowsAtDispatch(number));
  }

  /**
   * The page size for so many rows: fewer where they would be too much for one answer. A piece of
   * an aggregate is read page by page, too, though it returns one row.
   *
   * @param rows below 0 for all
   */
  int pageSize(int rows) {
    if (whole != null) {
      return rows;
    }
    if (page.folds()) {
      return clientsPage();
    }
    int all = rows == SubRequest.ALL || rows < 0 ? ROWS_AT_A_TIME : rows;
    return Math.min(all, memory.mostRows());
  }

  /** Memory that so many rows of a piece will take, in bytes, by the size of those that came. */
  long bytes(int number, int rows) {
    if (page.folds()) {
      return memory.rowBytes();
    }
    double estimate = 1 + progress.request(number).piece().rows();
    double expected = page.density().known() ? Math.min(rows, estimate) : rows;
    return (long) (expected * memory.rowBytes());
  }

  /** Takes memory for an answer to come, which is always there for the next piece in order. */
  boolean take(int number, long bytes) {
    return memory.take(bytes, progress.isNext(number));
  }

  /** Whether there is memory for an answer of that size, besides what others were promised. */
  boolean hasRoom(int number, long bytes, long promised) {
    return progress.isNext(number) || memory.hasRoom(promised + bytes);
  }

  private int clientsPage() {
    return clientsPage(page);
  }

  private static int clientsPage(PageContext page) {
    int clients = page.page().statement().pageSize();
    return clients > 0 ? clients : ROWS_AT_A_TIME;
  }

  /**
   * The rule by which other pieces are read together with one of this page: no more rows than the
   * client's page has, since a cluster may refuse larger ones (page_size_fail_threshold).
   */
  ShareRule shareRule() {
    return shareRule(page, Math.min(memory.mostRows(), clientsPage()));
  }

  /** The same while no memory is taken. */
  static ShareRule shareRule(PageContext page) {
    return shareRule(page, clientsPage(page));
  }

  private static ShareRule shareRule(PageContext page, int most) {
    return new ShareRule(page.density(), most, page.query().rowsIn(CARRIED_MICROS));
  }

  /** The size of the whole read, of which a node is told when it is asked for a piece. */
  RangeHint hint() {
    return whole != null
        ? whole
        : new RangeHint(page.plan().wave().size(), Math.round(progress.rowsLeft()));
  }
}
