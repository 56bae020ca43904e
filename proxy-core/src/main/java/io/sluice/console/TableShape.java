package io.sluice.console;

import io.sluice.decide.classify.Classified;
import io.sluice.execute.table.SmallTable;
import io.sluice.wire.ColumnType;
import io.sluice.wire.RowSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a virtual table: its name, its columns, and how a fact becomes a row.
 * Immutable.
 *
 * @param <R> the fact that a row shows
 * @param comment one sentence for DESCRIBE
 * @param columns the columns in the order of {@code SELECT *}: the key first
 */
record TableShape<R>(String name, String comment, List<Column<R>> columns) {

  /** The role of a column in the primary key. */
  enum Kind {
    PARTITION_KEY,
    CLUSTERING,
    REGULAR
  }

  /** One column. {@code value} returns the Java value of the column's type, or null. */
  record Column<R>(
      String name, ColumnType type, Kind kind, Function<R, ? extends @Nullable Object> value) {

    boolean isKey() {
      return kind != Kind.REGULAR;
    }
  }

  static <R> TableShape<R> named(String name, String comment) {
    return new TableShape<>(name, comment, List.of());
  }

  TableShape<R> partition(
      String column, ColumnType type, Function<R, ? extends @Nullable Object> value) {
    return with(new Column<>(column, type, Kind.PARTITION_KEY, value));
  }

  TableShape<R> clustering(
      String column, ColumnType type, Function<R, ? extends @Nullable Object> value) {
    return with(new Column<>(column, type, Kind.CLUSTERING, value));
  }

  TableShape<R> column(
      String column, ColumnType type, Function<R, ? extends @Nullable Object> value) {
    return with(new Column<>(column, type, Kind.REGULAR, value));
  }

  private TableShape<R> with(Column<R> column) {
    List<Column<R>> all = new ArrayList<>(columns);
    all.add(column);
    return new TableShape<>(name, comment, List.copyOf(all));
  }

  /** Returns an immutable table with one row for each fact. */
  SmallTable table(List<R> facts) {
    List<RowSet.Column> definitions =
        columns.stream()
            .map(
                each ->
                    new RowSet.Column(Classified.PROXY_KEYSPACE, name, each.name(), each.type()))
            .toList();
    List<String> key = columns.stream().filter(Column::isKey).map(Column::name).toList();
    return SmallTable.of(definitions, key, facts, columns.stream().map(Column::value).toList());
  }
}
