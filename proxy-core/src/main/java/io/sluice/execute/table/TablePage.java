package io.sluice.execute.table;

import io.sluice.wire.RowSet;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A page of a SELECT over a small table.
 *
 * @param rows its rows
 * @param pagingState where the next page begins; null when this is the last
 */
public record TablePage(RowSet rows, @Nullable ByteBuffer pagingState) {

  /**
   * A page that is asked for.
   *
   * @param size rows at most; below 1 for all
   * @param from the paging state of the page before; null for the first page
   */
  public record Asked(int size, @Nullable ByteBuffer from) {

    /** All rows on one page. */
    public static final Asked ALL = new Asked(-1, null);
  }
}
