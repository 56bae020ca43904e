package io.sluice.exchange.range;

import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.progress.PageProgress;
import io.sluice.decide.share.ShareRule;
import io.sluice.wire.RangeHint;
import org.jspecify.annotations.Nullable;

/**
 * The size of the requests for pieces, derived from the missing rows and the available memory. Not
 * safe for several threads: its client's lane.
 */
final class PieceSizing {

  /** The page size of pieces of a read without a page size. */
  private static final int ROWS_AT_A_TIME = 5000;

  /** The work that a piece may do for riders, regardless of its own size. */
  private static final double CARRIED_MICROS = 5_000;

  private final PageContext page;
  private final PageProgress progress;
  private final PageMemory memory;
  private final @Nullable RangeHint whole;

  PieceSizing(PageContext page, PageProgress progress, PageMemory memory) {
    this(page, progress, memory, null);
  }

  /**
   * Creates the sizes of a guest's requests.
   *
   * @param whole the size of the other proxy's whole read
   */
  PieceSizing(
      PageContext page, PageProgress progress, PageMemory memory, @Nullable RangeHint whole) {
    this.page = page;
    this.progress = progress;
    this.memory = memory;
    this.whole = whole;
  }

  /**
   * Returns the rows of a piece's first request, when a node has a free slot; 0 when no rows are
   * missing.
   */
  int firstRows(int number) {
    return pageSize(progress.rowsAtDispatch(number));
  }

  /**
   * Returns the page size of a request for {@code rows} rows, bounded by the memory for one answer.
   * A piece of an aggregate is also read page by page, although it returns one row.
   *
   * @param rows the rows to read; {@link SubRequest#ALL} for all
   */
  int pageSize(int rows) {
    if (whole != null) {
      return rows;
    }
    if (page.folds()) {
      return clientsPage();
    }
    int all = rows == SubRequest.ALL ? ROWS_AT_A_TIME : rows;
    return Math.min(all, memory.maxRows());
  }

  /** Estimates the bytes of {@code rows} rows of a piece from the rows that have arrived. */
  long bytes(int number, int rows) {
    if (page.folds()) {
      return memory.rowBytes();
    }
    double estimate = 1 + progress.request(number).piece().rows();
    double expected = page.density().known() ? Math.min(rows, estimate) : rows;
    return (long) (expected * memory.rowBytes());
  }

  /** Takes memory for a future answer. The next piece in order always gets it. */
  boolean take(int number, long bytes) {
    return memory.take(bytes, progress.isNext(number));
  }

  /** Whether a piece is the next in order, which always gets memory. */
  boolean isNext(int number) {
    return progress.isNext(number);
  }

  /** Marks memory that was taken; see {@link PageMemory#away}. */
  void away(long bytes) {
    memory.away(bytes);
  }

  /** Whether there is memory for {@code bytes}, besides the bytes promised to other pieces. */
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
   * Returns the rule that chooses the pieces to share a scan with. A scan returns at most the
   * client's page size, because the cluster may refuse larger pages (page_size_fail_threshold).
   */
  ShareRule shareRule() {
    return shareRule(page, Math.min(memory.maxRows(), clientsPage()));
  }

  /** Returns the rule for a page that has read nothing. */
  static ShareRule shareRule(PageContext page) {
    return shareRule(page, clientsPage(page));
  }

  private static ShareRule shareRule(PageContext page, int most) {
    return new ShareRule(page.density(), most, page.query().rowsReadIn(CARRIED_MICROS));
  }

  /** Returns the size of the whole read, which is the hint in the request for a piece. */
  RangeHint hint() {
    return whole != null
        ? whole
        : new RangeHint(page.plan().wave().size(), Math.round(progress.rowsLeft()));
  }
}
