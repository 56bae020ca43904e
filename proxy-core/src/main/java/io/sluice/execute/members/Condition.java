package io.sluice.execute.members;

import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Expression;
import io.sluice.decide.classify.Restriction;
import io.sluice.wire.RowSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One condition of a WHERE clause on a small table: a column is one of these values. */
record Condition(int column, List<@Nullable ByteBuffer> wanted) {

  static List<Condition> of(List<Restriction> where, RowSet table, BoundValues values)
      throws NotAnswerable {
    List<Condition> conditions = new ArrayList<>();
    for (Restriction restriction : where) {
      boolean understood =
          restriction.subject() == Restriction.Subject.COLUMN
              && (restriction.operator() == Restriction.Operator.EQ
                  || restriction.operator() == Restriction.Operator.IN);
      if (!understood) {
        throw NotAnswerable.unsupported("this condition");
      }
      conditions.add(of(restriction, table, values));
    }
    return conditions;
  }

  private static Condition of(Restriction restriction, RowSet table, BoundValues values)
      throws NotAnswerable {
    String name = restriction.columns().get(0);
    int column = table.indexOf(name);
    if (column < 0) {
      throw new NotAnswerable("Undefined column name " + name);
    }
    List<@Nullable ByteBuffer> wanted = new ArrayList<>();
    for (Expression value : restriction.values()) {
      wanted.add(
          value.kind() == Expression.Kind.MARKER
              ? marker(value, values)
              : Cells.fromLiteral(value, table.columns().get(column).type()));
    }
    return new Condition(column, wanted);
  }

  private static @Nullable ByteBuffer marker(Expression marker, BoundValues values) {
    ByteBuffer named = marker.name() == null ? null : values.get(marker.name());
    return named == null ? values.get(marker.marker()) : named;
  }

  boolean holds(List<@Nullable ByteBuffer> row) {
    ByteBuffer cell = row.get(column);
    return cell != null && wanted.stream().anyMatch(value -> Objects.equals(value, cell));
  }
}
