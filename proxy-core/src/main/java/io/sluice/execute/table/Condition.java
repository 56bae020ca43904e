package io.sluice.execute.table;

import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Expression;
import io.sluice.decide.classify.Restriction;
import io.sluice.decide.classify.Restriction.Operator;
import io.sluice.decide.classify.TermBytes;
import io.sluice.wire.CellOrder;
import io.sluice.wire.RowSet;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One condition of a WHERE clause on a small table. A comparison with null, on either side, is
 * never true.
 *
 * @param column the index of the column
 * @param operator the comparison; EQ includes IN
 * @param values the values to compare with: any number for EQ, two for BETWEEN, else one
 * @param type the CQL type of the column; null when its order does not matter
 */
record Condition(
    int column, Operator operator, List<@Nullable ByteBuffer> values, @Nullable String type) {

  static List<Condition> of(List<Restriction> where, RowSet table, BoundValues values)
      throws NotAnswerable {
    List<Condition> conditions = new ArrayList<>();
    for (Restriction restriction : where) {
      if (restriction.subject() != Restriction.Subject.COLUMN) {
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
    RowSet.Column compared = table.columns().get(column);
    return switch (restriction.operator()) {
      case EQ, IN -> new Condition(column, Operator.EQ, terms(restriction, compared, values), null);
      case IN_MARKER -> new Condition(column, Operator.EQ, list(restriction, values), null);
      case LT, LTE, GT, GTE, BETWEEN ->
          new Condition(
              column,
              restriction.operator(),
              terms(restriction, compared, values),
              typeOf(compared));
      default -> throw NotAnswerable.unsupported("this condition");
    };
  }

  private static List<@Nullable ByteBuffer> terms(
      Restriction restriction, RowSet.Column column, BoundValues values) throws NotAnswerable {
    List<@Nullable ByteBuffer> terms = new ArrayList<>();
    for (Expression value : restriction.values()) {
      terms.add(term(value, column, values));
    }
    return terms;
  }

  /** Returns the bytes of a literal or a marker for a column. */
  static @Nullable ByteBuffer term(Expression value, RowSet.Column column, BoundValues values)
      throws NotAnswerable {
    String type = typeOf(column);
    ByteBuffer bytes = TermBytes.of(value, type, values);
    if (bytes == null && value.kind() != Expression.Kind.MARKER) {
      throw new NotAnswerable(
          String.format(
              Locale.ROOT,
              "Invalid %s constant (%s) for \"%s\" of type %s",
              value.kind(),
              value.name(),
              column.name(),
              type));
    }
    return bytes;
  }

  private static String typeOf(RowSet.Column column) throws NotAnswerable {
    String type = column.type().cqlName();
    if (type == null) {
      throw NotAnswerable.unsupported("a comparison of " + column.name());
    }
    return type;
  }

  /** Returns the elements of a list that is bound to one marker. */
  private static List<@Nullable ByteBuffer> list(Restriction restriction, BoundValues values)
      throws NotAnswerable {
    ByteBuffer bound = TermBytes.of(restriction.values().get(0), "list", values);
    List<@Nullable ByteBuffer> elements = new ArrayList<>();
    if (bound == null) {
      return elements;
    }
    try {
      for (int n = bound.getInt(); n > 0; n--) {
        int length = bound.getInt();
        elements.add(length < 0 ? null : Cells.next(bound, length));
      }
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new NotAnswerable("The value bound to IN is no list");
    }
    return elements;
  }

  boolean holds(List<@Nullable ByteBuffer> row) {
    ByteBuffer cell = row.get(column);
    if (cell == null) {
      return false;
    } else if (type == null) {
      return values.stream().anyMatch(value -> Objects.equals(value, cell));
    }
    return switch (operator) {
      case LT -> compare(cell, 0, type) < 0;
      case LTE -> compare(cell, 0, type) <= 0 && values.get(0) != null;
      case GT -> compare(cell, 0, type) > 0;
      case GTE -> compare(cell, 0, type) >= 0 && values.get(0) != null;
      default ->
          values.get(0) != null
              && values.get(1) != null
              && compare(cell, 0, type) >= 0
              && compare(cell, 1, type) <= 0;
    };
  }

  /** Compares a cell with a value; returns 0 for a null value. */
  private int compare(ByteBuffer cell, int value, String type) {
    ByteBuffer other = values.get(value);
    return other == null ? 0 : CellOrder.of(type).compare(Cells.array(cell), Cells.array(other));
  }
}
