package io.sluice.execute.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Classifier;
import io.sluice.decide.classify.OwnStatement;
import io.sluice.execute.table.TablePage.PageRequest;
import io.sluice.ring.Catalog;
import io.sluice.ring.TestPartitioner;
import io.sluice.wire.RowSet;
import io.sluice.wire.TestColumns;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests that a short request cannot make a SELECT over a small table long or large. */
class TableLimitsTest {

  private static final List<RowSet.Column> COLUMNS = TestColumns.of("t", "p int, c text");

  /** How often a cell of {@code c} was read. */
  private final AtomicInteger cells = new AtomicInteger();

  /** Ten rows: 0 with "v0" to 9 with "v9". */
  private final SmallTable table =
      SmallTable.of(
          COLUMNS,
          List.of("p"),
          IntStream.range(0, 10).boxed().toList(),
          List.<Function<Integer, Object>>of(
              fact -> fact,
              fact -> {
                cells.incrementAndGet();
                return "v" + fact;
              }));

  /** Values that a request gives by name; each use is a copy. */
  private static final class Named implements BoundValues {
    private final byte[] value;
    int copies;

    Named(byte[] value) {
      this.value = value;
    }

    @Override
    public @Nullable ByteBuffer get(int index) {
      return null;
    }

    @Override
    public ByteBuffer get(String name) {
      copies++;
      return ByteBuffer.wrap(value.clone());
    }
  }

  private static Classified classified(String cql) {
    return new Classifier().classify(cql, null, Catalog.EMPTY, TestPartitioner.ANY);
  }

  private int rows(String cql, BoundValues values) throws NotAnswerable {
    return TableQuery.page(classified(cql), values, table, PageRequest.ALL).rows().rows().size();
  }

  private int rows(String cql) throws NotAnswerable {
    return rows(cql, BoundValues.NONE);
  }

  private static void refused(String limit, ThrowingCallable select) {
    assertThatThrownBy(select)
        .isInstanceOf(NotAnswerable.class)
        .hasMessage("Sluice answers this table itself and accepts at most " + limit);
  }

  private static String repeated(int times, String part, String separator) {
    return String.join(separator, Collections.nCopies(times, part));
  }

  private static String where(int times, String condition) {
    return "SELECT * FROM system.t WHERE " + repeated(times, condition, " AND ");
  }

  /** A request has the value once, however many markers have its name. */
  @Test
  void a_value_counts_for_each_marker_with_its_name() throws NotAnswerable {
    Named value = new Named(new byte[1000]);
    assertThat(rows(where(65, "c = :a"), value)).isZero();
    value.copies = 0;
    refused("65536 bytes of values in a statement there", () -> rows(where(99, "c > :a"), value));
    assertThat(value.copies).as("copies before the refusal").isEqualTo(66);
  }

  private static byte[] list(int bytes, int elements) {
    return ByteBuffer.allocate(bytes).putInt(0, elements).array();
  }

  @Test
  void a_bound_list_is_refused_for_its_length_and_for_its_elements() throws NotAnswerable {
    String in = where(1, "c IN :a");
    assertThat(rows(in, new Named(list(4 + 1000 * 4, 1000)))).isZero();
    refused(
        "1000 values in a statement there", () -> rows(in, new Named(list(4 + 1001 * 4, 1001))));
    refused(
        "65536 bytes of values in a statement there",
        () -> rows(in, new Named(list(1 << 24, (1 << 22) - 1))));
    refused(
        "65536 bytes of values in a statement there",
        () -> rows(where(50, "c IN :a"), new Named(list(2000, 1))));
  }

  @Test
  void a_list_of_literals_has_at_most_1000() throws NotAnswerable {
    String all =
        IntStream.range(5, 1005).mapToObj(String::valueOf).collect(Collectors.joining(","));
    assertThat(rows("SELECT * FROM system.t WHERE p IN (" + all + ")")).isEqualTo(5);
    refused(
        "1000 values in a statement there",
        () -> rows("SELECT * FROM system.t WHERE p IN (4," + all + ")"));
  }

  @Test
  void each_row_is_tested_by_at_most_100_conditions() throws NotAnswerable {
    assertThat(rows(where(100, "p >= 3"))).isEqualTo(7);
    refused("100 conditions in a statement there", () -> rows(where(101, "p >= 3")));
  }

  @Test
  void a_result_has_at_most_100_columns() throws NotAnswerable {
    assertThat(rows("SELECT " + repeated(100, "c", ",") + " FROM system.t")).isEqualTo(10);
    for (String more : List.of("c", "count(c)")) {
      String cql = "SELECT " + repeated(101, more, ",") + " FROM system.t";
      refused("100 selected columns in a statement there", () -> rows(cql));
      refused(
          "100 selected columns in a statement there",
          () -> TableQuery.columns(Objects.requireNonNull(classified(cql).select()), table));
    }
  }

  @Test
  void a_column_in_order_by_counts_once() throws NotAnswerable {
    String cql = "SELECT p FROM system.t ORDER BY " + repeated(500, "c DESC", ",");
    List<ByteBuffer> sorted =
        TableQuery.page(classified(cql), BoundValues.NONE, table, PageRequest.ALL)
            .rows()
            .rows()
            .stream()
            .map(row -> Objects.requireNonNull(row.get(0)))
            .toList();
    assertThat(sorted.get(0)).isEqualTo(Cells.of(9));
    assertThat(sorted.get(9)).isEqualTo(Cells.of(0));
    assertThat(cells).as("one cell of each row").hasValue(10);
  }

  @Test
  void a_column_cannot_be_set_to_a_longer_value() throws NotAnswerable {
    OwnStatement.Change change =
        (OwnStatement.Change)
            Objects.requireNonNull(
                classified("UPDATE system_proxy.settings SET c = :a WHERE p = 1").own());
    assertThat(TableQuery.assigned(change.assignments(), table.rows(), new Named(new byte[65_536])))
        .isEqualTo(Map.of("c", "\0".repeat(65_536)));
    refused(
        "65536 bytes of values in a statement there",
        () -> TableQuery.assigned(change.assignments(), table.rows(), new Named(new byte[65_537])));
  }

  @Test
  void null_in_a_list_matches_nothing() throws NotAnswerable {
    ByteBuffer list = ByteBuffer.allocate(14).putInt(2).putInt(-1).putInt(2).put((byte) 'v');
    assertThat(rows(where(1, "c IN :a"), new Named(list.put((byte) '7').array()))).isEqualTo(1);
    assertThat(Stream.of("<", "<=", ">", ">=").map(each -> where(1, "c " + each + " ?")))
        .allSatisfy(cql -> assertThat(rows(cql)).isZero());
    assertThat(rows(where(1, "p BETWEEN 1 AND ?"))).isZero();
  }
}
