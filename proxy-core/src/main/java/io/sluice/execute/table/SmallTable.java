package io.sluice.execute.table;

import io.sluice.wire.RowSet;
import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A table that is at hand.
 *
 * @param rows all its rows, in any order
 * @param key the columns of its primary key, in order, by which its rows are sorted; those that
 *     {@code rows} lacks are left out
 */
public record SmallTable(RowSet rows, List<String> key) {

  public SmallTable {
    key = key.stream().filter(column -> rows.indexOf(column) >= 0).toList();
  }

  /**
   * A table of plain values.
   *
   * @param values a String, Integer, Long, Double, Boolean, InetAddress, UUID, Instant or byte[]
   *     for each cell, as the type of its column demands; or null
   */
  public static SmallTable of(
      List<RowSet.Column> columns, List<String> key, List<List<@Nullable Object>> values) {
    List<List<@Nullable ByteBuffer>> rows = new ArrayList<>(values.size());
    for (List<@Nullable Object> row : values) {
      List<@Nullable ByteBuffer> cells = new ArrayList<>(row.size());
      row.forEach(value -> cells.add(Cells.of(value)));
      rows.add(cells);
    }
    return new SmallTable(new RowSet(columns, rows), key);
  }

  /**
   * A table with a row for each fact. A cell is made each time that it is read: a page of a long
   * table costs what the page holds, and what is compared.
   *
   * @param <F> an immutable fact
   * @param values for each column, what makes the plain value of its cell, as in {@link #of(List,
   *     List, List)}
   */
  public static <F> SmallTable of(
      List<RowSet.Column> columns,
      List<String> key,
      List<F> facts,
      List<? extends Function<? super F, ? extends @Nullable Object>> values) {
    List<List<@Nullable ByteBuffer>> rows = new ArrayList<>(facts.size());
    facts.forEach(fact -> rows.add(new FactRow<>(fact, values)));
    return new SmallTable(new RowSet(columns, rows), key);
  }

  /** The cells of one fact. Immutable. */
  private static final class FactRow<F> extends AbstractList<@Nullable ByteBuffer> {

    private final F fact;
    private final List<? extends Function<? super F, ? extends @Nullable Object>> values;

    FactRow(F fact, List<? extends Function<? super F, ? extends @Nullable Object>> values) {
      this.fact = fact;
      this.values = values;
    }

    @Override
    public @Nullable ByteBuffer get(int column) {
      return Cells.of(values.get(column).apply(fact));
    }

    @Override
    public int size() {
      return values.size();
    }
  }

  /** All rows as a JSON array of objects, in any order. */
  public String json() {
    StringJoiner array = new StringJoiner(",", "[", "]");
    for (List<@Nullable ByteBuffer> row : rows.rows()) {
      StringJoiner object = new StringJoiner(",", "{", "}");
      for (int i = 0; i < row.size(); i++) {
        RowSet.Column column = rows.columns().get(i);
        object.add(JsonText.quoted(column.name()) + ":" + json(row.get(i), column));
      }
      array.add(object.toString());
    }
    return array.toString();
  }

  private static String json(@Nullable ByteBuffer cell, RowSet.Column column) {
    try {
      return Cells.json(cell, column.type());
    } catch (NotAnswerable e) {
      throw new IllegalStateException(column.name(), e);
    }
  }

  /** The rows of a table with those of another in its columns; a column that it lacks is null. */
  public static RowSet union(RowSet table, RowSet more) {
    List<List<@Nullable ByteBuffer>> rows = new ArrayList<>(table.rows());
    for (List<@Nullable ByteBuffer> row : more.rows()) {
      List<@Nullable ByteBuffer> cells = new ArrayList<>();
      for (RowSet.Column column : table.columns()) {
        int at = more.indexOf(column.name());
        cells.add(at < 0 ? null : row.get(at));
      }
      rows.add(cells);
    }
    return new RowSet(table.columns(), rows);
  }
}
