package io.sluice.execute.table;

import io.sluice.decide.classify.Expression;
import io.sluice.decide.classify.Select;
import io.sluice.wire.ColumnType;
import io.sluice.wire.RowSet;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The selected columns of a result, with their source columns.
 *
 * @param columns the columns of the result without JSON
 * @param sources the table's column for each; below 0 for {@code count(*)}
 * @param counts whether the result is one row of counts
 * @param json whether each row is returned as one JSON text
 */
record Projection(
    List<RowSet.Column> columns, List<Integer> sources, boolean counts, boolean json) {

  /** Limit on the columns of a result, since a statement may select a column again and again. */
  static final int MAX_COLUMNS = 100;

  static Projection of(Select.Projection projection, RowSet table) throws NotAnswerable {
    boolean counts = projection.selectors().stream().anyMatch(each -> isCount(each.value()));
    Projection picked =
        new Projection(new ArrayList<>(), new ArrayList<>(), counts, projection.json());
    for (Select.Selector selector : projection.selectors()) {
      picked.add(selector, table);
      if (picked.sources.size() > MAX_COLUMNS) {
        throw NotAnswerable.tooMany(MAX_COLUMNS, "selected columns");
      }
    }
    return picked;
  }

  private static boolean isCount(Expression value) {
    return value.kind() == Expression.Kind.FUNCTION && "count".equals(value.name());
  }

  private void add(Select.Selector selector, RowSet table) throws NotAnswerable {
    Expression value = selector.value();
    if (value.kind() == Expression.Kind.STAR && !counts) {
      for (int i = 0; i < table.columns().size(); i++) {
        columns.add(table.columns().get(i));
        sources.add(i);
      }
    } else if (value.kind() == Expression.Kind.COLUMN && value.name() != null && !counts) {
      int at = indexOf(value.name(), table);
      columns.add(named(selector, value.name(), table.columns().get(at).type(), table));
      sources.add(at);
    } else if (isCount(value)) {
      count(selector, value.parts(), table);
    } else {
      throw NotAnswerable.unsupported("this selector");
    }
  }

  private void count(Select.Selector selector, List<Expression> arguments, RowSet table)
      throws NotAnswerable {
    if (arguments.size() != 1) {
      throw new NotAnswerable("Invalid number of arguments for function system.count(any)");
    }
    Expression counted = arguments.get(0);
    String column = counted.kind() == Expression.Kind.COLUMN ? counted.name() : null;
    String name = column == null ? "count" : "system.count(" + column + ")";
    columns.add(named(selector, name, ColumnType.BIGINT, table));
    sources.add(column == null ? -1 : indexOf(column, table));
  }

  private static int indexOf(String name, RowSet table) throws NotAnswerable {
    int at = table.indexOf(name);
    if (at < 0) {
      RowSet.Column any = table.columns().get(0);
      throw new NotAnswerable(
          "Undefined column name " + name + " in table " + any.keyspace() + "." + any.table());
    }
    return at;
  }

  private static RowSet.Column named(
      Select.Selector selector, String name, ColumnType type, RowSet table) {
    RowSet.Column any = table.columns().get(0);
    return new RowSet.Column(
        any.keyspace(),
        any.table(),
        selector.alias() == null ? name : selector.alias().text(),
        type);
  }

  /** Returns the columns in the metadata of the response. */
  List<RowSet.Column> resultColumns() {
    if (!json) {
      return columns;
    }
    RowSet.Column any = columns.get(0);
    return List.of(new RowSet.Column(any.keyspace(), any.table(), "[json]", ColumnType.VARCHAR));
  }

  /** Returns the one row of counts. */
  List<@Nullable ByteBuffer> counted(List<List<@Nullable ByteBuffer>> rows) throws NotAnswerable {
    List<@Nullable ByteBuffer> counts = new ArrayList<>();
    for (int source : sources) {
      counts.add(
          Cells.of(rows.stream().filter(row -> source < 0 || row.get(source) != null).count()));
    }
    return shown(counts);
  }

  /** Returns the selected cells of a row. */
  List<@Nullable ByteBuffer> picked(List<@Nullable ByteBuffer> row) throws NotAnswerable {
    List<@Nullable ByteBuffer> cells = new ArrayList<>(sources.size());
    sources.forEach(source -> cells.add(row.get(source)));
    return shown(cells);
  }

  private List<@Nullable ByteBuffer> shown(List<@Nullable ByteBuffer> cells) throws NotAnswerable {
    if (!json) {
      return cells;
    }
    StringJoiner object = new StringJoiner(", ", "{", "}");
    for (int i = 0; i < cells.size(); i++) {
      RowSet.Column column = columns.get(i);
      object.add(jsonName(column.name()) + ": " + Cells.json(cells.get(i), column.type()));
    }
    return List.of(ByteBuffer.wrap(object.toString().getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Returns the name of a JSON member. As in Cassandra, a name that is not all lower case keeps its
   * quotes.
   */
  private static String jsonName(String name) {
    boolean folded = name.equals(name.toLowerCase(Locale.ROOT));
    return JsonText.quoted(folded ? name : '"' + name + '"');
  }
}
