package io.sluice.execute.table;

import io.sluice.wire.RowSet;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A page of a SELECT over a small table.
 *
 * @param rows its rows
 * @param pagingState the paging state of the next page; null for the last page
 */
public record TablePage(RowSet rows, @Nullable ByteBuffer pagingState) {

  /**
   * The request for a page.
   *
   * @param size the page size; below 1 for all rows
   * @param from the paging state of the request; null for the first page
   */
  public record Asked(int size, @Nullable ByteBuffer from) {

    /** Requests all rows on one page. */
    public static final Asked ALL = new Asked(-1, null);
  }
}
