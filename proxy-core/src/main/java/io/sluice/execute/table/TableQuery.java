package io.sluice.execute.table;

import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Restriction;
import io.sluice.decide.classify.Select;
import io.sluice.wire.RowSet;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A SELECT over a small table in memory. Any column may be used in conditions and in ORDER BY, with
 * or without ALLOW FILTERING. Immutable.
 */
public final class TableQuery {

  private final Projection projection;
  private final boolean distinct;
  private final int limit;
  private final SmallTable table;
  private final List<Condition> conditions;
  private final RowOrder order;

  /** A row of the table with the cells by which it is sorted. */
  private record Placed(List<@Nullable ByteBuffer> row, List<byte @Nullable []> place) {}

  private TableQuery(Classified statement, BoundValues values, SmallTable table)
      throws NotAnswerable {
    Select select = statement.select();
    if (select == null) {
      throw NotAnswerable.unsupported("this statement");
    } else if (!select.groupBy().isEmpty()) {
      throw NotAnswerable.unsupported("GROUP BY");
    } else if (select.limits().perPartition() != null) {
      throw NotAnswerable.unsupported("PER PARTITION LIMIT");
    }
    this.limit = statement.limit(values);
    if (select.limits().rows() != null && limit < 0) {
      throw new NotAnswerable("LIMIT must be strictly positive");
    }
    this.table = table;
    this.projection = Projection.of(select.projection(), table.rows());
    this.distinct = select.projection().distinct() && !projection.counts();
    this.conditions = Condition.of(select.where().restrictions(), table.rows(), values);
    this.order = RowOrder.of(select, table);
  }

  /**
   * Returns one page of the result.
   *
   * @param statement a SELECT
   * @param values the bound values
   * @param table the table that the statement names
   * @throws NotAnswerable when the statement is invalid or not supported
   */
  public static TablePage page(
      Classified statement, BoundValues values, SmallTable table, TablePage.PageRequest asked)
      throws NotAnswerable {
    return new TableQuery(statement, values, table).page(asked);
  }

  /**
   * Returns the columns of the result.
   *
   * @throws NotAnswerable as {@link #page}, except for errors that depend on bound values
   */
  public static List<RowSet.Column> columns(Select select, SmallTable table) throws NotAnswerable {
    return Projection.of(select.projection(), table.rows()).resultColumns();
  }

  /**
   * Returns the rows that meet the conditions, in any order.
   *
   * @throws NotAnswerable when a condition is invalid or not supported
   */
  public static RowSet matching(List<Restriction> where, BoundValues values, SmallTable table)
      throws NotAnswerable {
    List<Condition> conditions = Condition.of(where, table.rows(), values);
    return new RowSet(
        table.rows().columns(),
        table.rows().rows().stream()
            .filter(row -> conditions.stream().allMatch(condition -> condition.holds(row)))
            .toList());
  }

  private TablePage page(TablePage.PageRequest asked) throws NotAnswerable {
    List<Placed> rows = rows();
    List<List<@Nullable ByteBuffer>> result = new ArrayList<>();
    if (projection.counts()) {
      result.add(projection.counted(rows.stream().map(Placed::row).toList()));
      return new TablePage(new RowSet(projection.resultColumns(), result), null);
    }
    TablePagingState from =
        asked.from() == null
            ? new TablePagingState(limit, List.of())
            : TablePagingState.read(asked.from(), name(), order.columns().size());
    if (asked.from() != null) {
      rows.removeIf(row -> order.compare(row.place(), from.last()) <= 0);
    }
    int left = from.rowsLeft() < 0 ? rows.size() : Math.min(from.rowsLeft(), rows.size());
    int size = asked.size() < 1 ? left : Math.min(asked.size(), left);
    for (Placed row : rows.subList(0, size)) {
      result.add(projection.picked(row.row()));
    }
    ByteBuffer next =
        size == left || order.columns().isEmpty()
            ? null
            : new TablePagingState(
                    from.rowsLeft() < 0 ? -1 : from.rowsLeft() - size, rows.get(size - 1).place())
                .bytes(name());
    return new TablePage(new RowSet(projection.resultColumns(), result), next);
  }

  private String name() {
    return table.rows().columns().get(0).table();
  }

  /** Returns the rows that meet all conditions, sorted. */
  private List<Placed> rows() throws NotAnswerable {
    List<Placed> rows = new ArrayList<>();
    for (List<@Nullable ByteBuffer> row : table.rows().rows()) {
      if (conditions.stream().allMatch(condition -> condition.holds(row))) {
        rows.add(new Placed(row, order.place(row)));
      }
    }
    rows.sort((a, b) -> order.compare(a.place(), b.place()));
    if (distinct) {
      Set<List<@Nullable ByteBuffer>> seen = new HashSet<>();
      List<Placed> first = new ArrayList<>();
      for (Placed row : rows) {
        if (seen.add(projection.picked(row.row()))) {
          first.add(row);
        }
      }
      return first;
    }
    return rows;
  }

  /**
   * Returns the new text of each column; null for a column that is set to null.
   *
   * @param assignments the assignments of an UPDATE
   * @throws NotAnswerable when a column does not exist, a value does not match its type, or the
   *     values are too many or too long
   */
  public static Map<String, @Nullable String> assigned(
      List<Restriction> assignments, RowSet table, BoundValues values) throws NotAnswerable {
    Map<String, @Nullable String> texts = new HashMap<>();
    Terms terms = new Terms(values);
    for (Restriction assignment : assignments) {
      RowSet.Column column = table.columns().get(Condition.column(assignment, table));
      ByteBuffer value = terms.of(assignment, column).get(0);
      texts.put(column.name(), value == null ? null : text(value));
    }
    return texts;
  }

  /** Returns the texts in a column that is never null. */
  public static List<String> texts(RowSet rows, String column) {
    int at = rows.indexOf(column);
    return rows.rows().stream().map(row -> text(Objects.requireNonNull(row.get(at)))).toList();
  }

  /** Returns the ids in a column that is never null. */
  public static List<UUID> uuids(RowSet rows, String column) {
    int at = rows.indexOf(column);
    return rows.rows().stream().map(row -> uuid(Objects.requireNonNull(row.get(at)))).toList();
  }

  private static UUID uuid(ByteBuffer cell) {
    return new UUID(cell.getLong(cell.position()), cell.getLong(cell.position() + Long.BYTES));
  }

  private static String text(ByteBuffer cell) {
    return StandardCharsets.UTF_8.decode(cell.duplicate()).toString();
  }
}
