package io.sluice.execute.table;

import io.sluice.decide.classify.Expression;
import io.sluice.decide.classify.Restriction;
import io.sluice.decide.classify.Restriction.Operator;
import io.sluice.wire.ColumnType;
import io.sluice.wire.RowSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Derives the bound columns of a statement, named as in Cassandra. Stateless. */
public final class Variables {

  private Variables() {}

  /**
   * Returns the columns of a statement's markers, in order.
   *
   * @param restrictions its conditions and assignments
   * @param limit its LIMIT, or null
   * @throws NotAnswerable when a column does not exist
   */
  public static List<RowSet.Column> of(
      List<Restriction> restrictions, @Nullable Expression limit, RowSet table)
      throws NotAnswerable {
    Map<Integer, RowSet.Column> byMarker = new TreeMap<>();
    for (Restriction restriction : restrictions) {
      for (Expression value : restriction.values()) {
        if (value.kind() == Expression.Kind.MARKER) {
          byMarker.put(value.marker(), column(restriction, value, table));
        }
      }
    }
    if (limit != null && limit.kind() == Expression.Kind.MARKER) {
      byMarker.put(limit.marker(), named(limit, "[limit]", ColumnType.INT, table));
    }
    return new ArrayList<>(byMarker.values());
  }

  private static RowSet.Column column(Restriction restriction, Expression marker, RowSet table)
      throws NotAnswerable {
    String name = restriction.columns().isEmpty() ? "" : restriction.columns().get(0);
    int at = table.indexOf(name);
    if (at < 0) {
      throw new NotAnswerable("Undefined column name " + name);
    }
    ColumnType type = table.columns().get(at).type();
    return restriction.operator() == Operator.IN_MARKER
        ? named(marker, "in(" + name + ")", type.list(), table)
        : named(marker, name, type, table);
  }

  private static RowSet.Column named(
      Expression marker, String name, ColumnType type, RowSet table) {
    RowSet.Column any = table.columns().get(0);
    String shown = marker.name() == null ? name : marker.name();
    return new RowSet.Column(any.keyspace(), any.table(), shown, type);
  }
}
