package io.sluice.execute.table;

import io.sluice.wire.RowSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
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
