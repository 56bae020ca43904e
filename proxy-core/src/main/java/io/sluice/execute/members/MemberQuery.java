package io.sluice.execute.members;

import io.sluice.decide.classify.BoundValues;
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

/** A SELECT over one small table that is already at hand. */
final class MemberQuery {

  private final Select select;
  private final RowSet table;
  private final List<List<@Nullable ByteBuffer>> rows = new ArrayList<>();

  MemberQuery(Select select, BoundValues values, int limit, RowSet table) throws NotAnswerable {
    if (!select.groupBy().isEmpty()) {
      throw NotAnswerable.unsupported("GROUP BY");
    }
    if (!select.orderBy().isEmpty()) {
      throw NotAnswerable.unsupported("ORDER BY");
    }
    if (select.limits().rows() != null && limit < 0) {
      throw new NotAnswerable("LIMIT must be strictly positive");
    }
    this.select = select;
    this.table = table;
    List<Condition> conditions = Condition.of(select.where().restrictions(), table, values);
    for (List<@Nullable ByteBuffer> row : table.rows()) {
      if (conditions.stream().allMatch(condition -> condition.holds(row))
          && (limit < 0 || rows.size() < limit || counts())) {
        rows.add(row);
      }
    }
  }

  private boolean counts() {
    return select.projection().selectors().stream().anyMatch(each -> isCount(each.value()));
  }

  private static boolean isCount(Expression value) {
    return value.kind() == Expression.Kind.FUNCTION && "count".equals(value.name());
  }

  RowSet result() throws NotAnswerable {
    List<RowSet.Column> columns = new ArrayList<>();
    List<Integer> sources = new ArrayList<>();
    boolean counting = counts();
    for (Select.Selector selector : select.projection().selectors()) {
      add(selector, counting, columns, sources);
    }
    List<List<@Nullable ByteBuffer>> result =
        counting ? List.of(counted(sources)) : picked(sources);
    RowSet picked = new RowSet(columns, result);
    return select.projection().json() ? json(picked) : picked;
  }

  private void add(
      Select.Selector selector,
      boolean counting,
      List<RowSet.Column> columns,
      List<Integer> sources)
      throws NotAnswerable {
    Expression value = selector.value();
    if (value.kind() == Expression.Kind.STAR && !counting) {
      for (int i = 0; i < table.columns().size(); i++) {
        columns.add(table.columns().get(i));
        sources.add(i);
      }
    } else if (value.kind() == Expression.Kind.COLUMN && value.name() != null && !counting) {
      int at = indexOf(value.name());
      columns.add(named(selector, value.name(), table.columns().get(at).type()));
      sources.add(at);
    } else if (isCount(value)) {
      if (value.parts().size() != 1) {
        throw new NotAnswerable("Invalid number of arguments for function system.count(any)");
      }
      Expression counted = value.parts().get(0);
      boolean column = counted.kind() == Expression.Kind.COLUMN && counted.name() != null;
      String name = column ? "system.count(" + counted.name() + ")" : "count";
      columns.add(named(selector, name, ColumnType.BIGINT));
      sources.add(column ? indexOf(String.valueOf(counted.name())) : -1);
    } else {
      throw NotAnswerable.unsupported("this selector");
    }
  }

  private int indexOf(String name) throws NotAnswerable {
    int at = table.indexOf(name);
    if (at < 0) {
      throw new NotAnswerable("Undefined column name " + name + " in table system." + tableName());
    }
    return at;
  }

  private String tableName() {
    return select.from().table().text().toLowerCase(Locale.ROOT);
  }

  private RowSet.Column named(Select.Selector selector, String name, ColumnType type) {
    return new RowSet.Column(
        "system", tableName(), selector.alias() == null ? name : selector.alias().text(), type);
  }

  private List<@Nullable ByteBuffer> counted(List<Integer> sources) {
    List<@Nullable ByteBuffer> counts = new ArrayList<>();
    for (int source : sources) {
      long count = rows.stream().filter(row -> source < 0 || row.get(source) != null).count();
      counts.add(ByteBuffer.allocate(Long.BYTES).putLong(0, count));
    }
    return counts;
  }

  private List<List<@Nullable ByteBuffer>> picked(List<Integer> sources) {
    List<List<@Nullable ByteBuffer>> picked = new ArrayList<>();
    for (List<@Nullable ByteBuffer> row : rows) {
      List<@Nullable ByteBuffer> cells = new ArrayList<>();
      sources.forEach(source -> cells.add(row.get(source)));
      picked.add(cells);
    }
    return picked;
  }

  private RowSet json(RowSet plain) throws NotAnswerable {
    List<List<@Nullable ByteBuffer>> texts = new ArrayList<>();
    for (List<@Nullable ByteBuffer> row : plain.rows()) {
      StringJoiner object = new StringJoiner(", ", "{", "}");
      for (int i = 0; i < row.size(); i++) {
        RowSet.Column column = plain.columns().get(i);
        object.add(jsonName(column.name()) + ": " + json(row.get(i), column.type()));
      }
      texts.add(List.of(ByteBuffer.wrap(object.toString().getBytes(StandardCharsets.UTF_8))));
    }
    RowSet.Column column = new RowSet.Column("system", tableName(), "[json]", ColumnType.VARCHAR);
    return new RowSet(List.of(column), texts);
  }

  private static String json(@Nullable ByteBuffer cell, ColumnType type) throws NotAnswerable {
    return type.id() == ColumnType.BIGINT.id() && cell != null
        ? String.valueOf(cell.getLong(cell.position()))
        : Cells.json(cell, type);
  }

  /** Names that are not all lower case keep their quotes in Cassandra's JSON. */
  private static String jsonName(String name) {
    boolean folded = name.equals(name.toLowerCase(Locale.ROOT));
    return Cells.quoted(folded ? name : '"' + name + '"');
  }
}
