package io.sluice.execute.table;

import io.sluice.decide.classify.Select;
import io.sluice.wire.CellOrder;
import io.sluice.wire.RowSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The order of the rows of a small table: by ORDER BY, then by the primary key. Nulls come first.
 *
 * @param columns the columns by which rows are sorted
 */
record RowOrder(List<By> columns) {

  /** One column, with the order of its cells. */
  private record By(int column, Comparator<byte[]> order) {}

  static RowOrder of(Select select, SmallTable table) throws NotAnswerable {
    List<By> columns = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Select.Ordering ordering : select.orderBy()) {
      if (ordering.nearestTo() != null) {
        throw NotAnswerable.unsupported("ANN OF");
      }
      if (!names.add(ordering.column().text())) {
        // Rows that are still equal have the same cell there.
        continue;
      }
      Comparator<byte[]> order = order(ordering.column().text(), table.rows());
      columns.add(
          new By(
              table.rows().indexOf(ordering.column().text()),
              ordering.descending() ? order.reversed() : order));
    }
    for (String key : table.key()) {
      columns.add(new By(table.rows().indexOf(key), order(key, table.rows())));
    }
    return new RowOrder(columns);
  }

  private static Comparator<byte[]> order(String name, RowSet table) throws NotAnswerable {
    int column = table.indexOf(name);
    if (column < 0) {
      throw new NotAnswerable("Undefined column name " + name);
    }
    String type = table.columns().get(column).type().cqlName();
    if (type == null) {
      throw NotAnswerable.unsupported("ORDER BY " + name);
    }
    return CellOrder.of(type);
  }

  /** Returns the cells by which a row is sorted. */
  List<byte @Nullable []> place(List<@Nullable ByteBuffer> row) {
    List<byte @Nullable []> cells = new ArrayList<>(columns.size());
    for (By by : columns) {
      ByteBuffer cell = row.get(by.column());
      cells.add(cell == null ? null : Cells.array(cell));
    }
    return cells;
  }

  int compare(List<byte @Nullable []> some, List<byte @Nullable []> others) {
    for (int i = 0; i < columns.size(); i++) {
      int order = compare(columns.get(i).order(), some.get(i), others.get(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static int compare(Comparator<byte[]> order, byte @Nullable [] a, byte @Nullable [] b) {
    return a == null || b == null ? Boolean.compare(a != null, b != null) : order.compare(a, b);
  }
}
