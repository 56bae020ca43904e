package io.sluice.execute.table;

import io.sluice.wire.RowSet;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
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
  public record PageRequest(int size, @Nullable ByteBuffer from) {

    /** Requests all rows on one page. */
    public static final PageRequest ALL = new PageRequest(-1, null);
  }

  /**
   * Returns one page of a result in its own order.
   *
   * @param all the whole result, the same for each page
   * @throws NotAnswerable when the paging state is damaged, or the result is another than that of
   *     the page before
   */
  public static TablePage of(RowSet all, PageRequest asked) throws NotAnswerable {
    String name = all.columns().get(0).table();
    List<byte @Nullable []> at = List.of(bytes(0), bytes(0));
    if (asked.from() != null) {
      at = TablePagingState.read(asked.from(), name, at.size()).last();
    }
    int version = all.rows().hashCode();
    if (asked.from() != null && !Arrays.equals(at.get(1), bytes(version))) {
      throw new NotAnswerable(
          "The result has changed since the previous page; please send the statement again");
    }
    int size = all.rows().size();
    int from = Math.min(size, Math.max(0, number(at.get(0))));
    int to = asked.size() < 1 ? size : Math.min(size - from, asked.size()) + from;
    ByteBuffer next =
        to == size
            ? null
            : new TablePagingState(-1, List.of(bytes(to), bytes(version))).bytes(name);
    return new TablePage(new RowSet(all.columns(), all.rows().subList(from, to)), next);
  }

  private static byte[] bytes(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  private static int number(byte @Nullable [] bytes) {
    return bytes == null || bytes.length != Integer.BYTES ? 0 : ByteBuffer.wrap(bytes).getInt();
  }
}
