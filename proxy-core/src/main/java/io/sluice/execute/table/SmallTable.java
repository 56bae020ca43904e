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
 * A table that is held in memory.
 *
 * @param rows all its rows, in any order
 * @param key the columns of its primary key, in order, by which results are sorted; columns that
 *     {@code rows} lacks are removed
 */
public record SmallTable(RowSet rows, List<String> key) {

  public SmallTable {
    key = key.stream().filter(column -> rows.indexOf(column) >= 0).toList();
  }

  /**
   * Creates a table of plain values.
   *
   * @param values for each cell a String, Integer, Long, Double, Boolean, InetAddress, UUID,
   *     Instant or byte[] that matches the type of its column; or null
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
   * Creates a table with one row per fact. A cell is encoded each time it is read, so that a page
   * of a long table costs only its own cells and the compared ones.
   *
   * @param <F> an immutable fact
   * @param values for each column the function from a fact to the plain value, as in {@link
   *     #of(List, List, List)}
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

  /** Returns all rows as a JSON array of objects, in any order. */
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

  /**
   * Returns the rows of {@code table} and then those of {@code more}, with the columns of {@code
   * table}. A column that {@code more} lacks is null.
   */
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
