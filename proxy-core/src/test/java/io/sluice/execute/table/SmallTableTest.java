package io.sluice.execute.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.wire.RowSet;
import io.sluice.wire.TestColumns;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests tables in memory: of plain values, of facts, and of the rows of two sources. */
class SmallTableTest {

  private static final List<RowSet.Column> COLUMNS = TestColumns.of("t", "k int, v text");

  /** Returns a table of rows with these values of the column v, which are numbered from 1. */
  private static SmallTable table(@Nullable String... values) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      rows.add(Arrays.asList(i + 1, values[i]));
    }
    return SmallTable.of(COLUMNS, List.of("k"), rows);
  }

  @Test
  void plain_values_and_facts_give_the_same_rows() {
    SmallTable plain = table("a", null);
    SmallTable facts =
        SmallTable.of(
            COLUMNS,
            List.of("k"),
            List.of(1, 2),
            List.<Function<Integer, @Nullable Object>>of(
                fact -> fact, fact -> fact == 1 ? "a" : null));
    assertThat(facts.rows().rows()).isEqualTo(plain.rows().rows());
    assertThat(facts.rows().rows().get(0)).hasSize(2);
  }

  @Test
  void key_columns_that_the_rows_lack_are_left_out() {
    SmallTable table = new SmallTable(new RowSet(COLUMNS, List.of()), List.of("v", "nothing", "k"));
    assertThat(table.key()).containsExactly("v", "k");
  }

  @Test
  void json_shows_each_row_as_an_object() {
    assertThat(table("a\"b", null).json())
        .isEqualTo("[{\"k\":1,\"v\":\"a\\\"b\"},{\"k\":2,\"v\":null}]");
    assertThat(table().json()).isEqualTo("[]");
  }

  @Test
  void json_of_an_unsupported_type_is_a_fault_of_the_table() {
    SmallTable floats =
        new SmallTable(
            new RowSet(
                TestColumns.of("t", "f float"),
                List.of(Arrays.<@Nullable ByteBuffer>asList(ByteBuffer.allocate(4)))),
            List.of());
    assertThatThrownBy(floats::json).isInstanceOf(IllegalStateException.class).hasMessage("f");
  }

  @Test
  void a_union_takes_the_cells_of_more_rows_by_the_names_of_their_columns() {
    RowSet more =
        new RowSet(
            TestColumns.of("u", "v text, other int, k int"),
            List.of(Arrays.<@Nullable ByteBuffer>asList(Cells.of("b"), Cells.of(9), Cells.of(2))));
    RowSet fewer =
        new RowSet(
            TestColumns.of("u", "v text"),
            List.of(Arrays.<@Nullable ByteBuffer>asList(Cells.of("c"))));
    RowSet first = table("a").rows();

    RowSet union = SmallTable.union(SmallTable.union(first, more), fewer);

    assertThat(union.columns()).isEqualTo(COLUMNS);
    assertThat(union.rows())
        .containsExactly(
            Arrays.asList(Cells.of(1), Cells.of("a")),
            Arrays.asList(Cells.of(2), Cells.of("b")),
            Arrays.asList(null, Cells.of("c")));
    assertThat(first.rows()).as("the first table").hasSize(1);
  }
}
