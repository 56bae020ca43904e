package io.sluice.execute.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.wire.RowSet;
import io.sluice.wire.TestColumns;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests pages of a result that is the same for each page, and the paging states between them. */
class TablePageTest {

  private static RowSet rows(String table, int count) {
    return new RowSet(
        TestColumns.of(table, "k int"),
        IntStream.range(0, count)
            .mapToObj(k -> Arrays.<@Nullable ByteBuffer>asList(Cells.of(k)))
            .toList());
  }

  private static TablePage page(RowSet all, int size, @Nullable ByteBuffer from)
      throws NotAnswerable {
    return TablePage.of(all, new TablePage.PageRequest(size, from));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 3, 1",
    "1, 3, 1",
    "3, 3, 1",
    "4, 3, 2",
    "6, 3, 2",
    "7, 1, 7",
    "7, 100, 1",
    "7, 0, 1",
    "7, -1, 1",
    "7, 2147483647, 1",
  })
  void pages_have_all_rows_once_in_their_order(int count, int size, int pages)
      throws NotAnswerable {
    RowSet all = rows("t", count);
    List<List<@Nullable ByteBuffer>> seen = new ArrayList<>();
    ByteBuffer state = null;
    int number = 0;
    do {
      TablePage page = page(all, size, state);
      assertThat(page.rows().columns()).isEqualTo(all.columns());
      seen.addAll(page.rows().rows());
      state = page.pagingState();
      number++;
    } while (state != null);
    assertThat(seen).isEqualTo(all.rows());
    assertThat(number).isEqualTo(pages);
  }

  @Test
  void the_size_of_a_page_may_change_between_pages() throws NotAnswerable {
    RowSet all = rows("t", 10);
    TablePage second = page(all, 3, page(all, 2, null).pagingState());
    assertThat(second.rows().rows()).isEqualTo(all.rows().subList(2, 5));
    assertThat(page(all, -1, second.pagingState()).rows().rows())
        .isEqualTo(all.rows().subList(5, 10));
  }

  @Test
  void a_result_that_has_changed_is_not_continued() throws NotAnswerable {
    ByteBuffer state = page(rows("t", 10), 2, null).pagingState();
    assertThatThrownBy(() -> page(rows("t", 11), 2, state))
        .isInstanceOf(NotAnswerable.class)
        .hasMessageContaining("has changed since the previous page");
    assertThat(page(rows("t", 10), 2, state).rows().rows()).hasSize(2);
  }

  @Test
  void the_paging_state_of_another_table_is_invalid() throws NotAnswerable {
    ByteBuffer state = page(rows("t", 10), 2, null).pagingState();
    assertThatThrownBy(() -> page(rows("u", 10), 2, state))
        .isInstanceOf(NotAnswerable.class)
        .hasMessage("Invalid value for the paging state");
  }

  @Test
  void a_position_beyond_the_end_is_an_empty_last_page() throws NotAnswerable {
    RowSet all = rows("t", 3);
    for (int at : new int[] {3, 4, Integer.MAX_VALUE}) {
      TablePage page = page(all, 2, state(at, all));
      assertThat(page.rows().rows()).as("from %d", at).isEmpty();
      assertThat(page.pagingState()).isNull();
    }
    assertThat(page(all, 2, state(-1, all)).rows().rows()).isEqualTo(all.rows().subList(0, 2));
  }

  private static ByteBuffer state(int at, RowSet all) {
    return new TablePagingState(-1, List.of(bytes(at), bytes(all.rows().hashCode()))).bytes("t");
  }

  private static byte[] bytes(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  @Test
  void a_paging_state_is_read_as_it_was_written() throws NotAnswerable {
    List<byte @Nullable []> cells = Arrays.asList(bytes(7), null, new byte[0]);
    ByteBuffer written = new TablePagingState(12, cells).bytes("täble");
    int length = written.remaining();
    TablePagingState read = TablePagingState.read(written, "täble", 3);
    assertThat(read.rowsLeft()).isEqualTo(12);
    assertThat(read.last()).hasSize(3);
    assertThat(read.last().get(0)).containsExactly(0, 0, 0, 7);
    assertThat(read.last().get(1)).isNull();
    assertThat(read.last().get(2)).isEmpty();
    assertThat(written.remaining()).as("bytes after reading").isEqualTo(length);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 4, Integer.MAX_VALUE})
  void a_paging_state_of_another_number_of_cells_is_invalid(int cells) {
    ByteBuffer written = new TablePagingState(1, List.of(bytes(1), bytes(2))).bytes("t");
    assertThatThrownBy(() -> TablePagingState.read(written, "t", cells))
        .isInstanceOf(NotAnswerable.class);
  }

  @Test
  void a_paging_state_with_changed_or_further_bytes_is_invalid() throws NotAnswerable {
    ByteBuffer written = new TablePagingState(1, List.of(bytes(1))).bytes("t");
    ByteBuffer more = ByteBuffer.allocate(written.remaining() + 1).put(written.duplicate());
    assertThatThrownBy(() -> TablePagingState.read(more.rewind(), "t", 1))
        .isInstanceOf(NotAnswerable.class);
    // The magic number, the length of the name and the name.
    for (int at = 0; at < 9; at++) {
      ByteBuffer changed = ByteBuffer.allocate(written.remaining()).put(written.duplicate()).flip();
      changed.put(at, (byte) (changed.get(at) ^ 0x40));
      assertThatThrownBy(() -> TablePagingState.read(changed, "t", 1))
          .as("byte %d", at)
          .isInstanceOf(NotAnswerable.class);
    }
    assertThat(TablePagingState.read(written, "t", 1).rowsLeft()).isEqualTo(1);
  }
}
