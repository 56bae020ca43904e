package io.sluice.execute.table;

import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Restriction;
import io.sluice.decide.classify.Restriction.Operator;
import io.sluice.wire.CellOrder;
import io.sluice.wire.RowSet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One condition of a WHERE clause on a small table. A comparison with null, on either side, is
 * never true.
 *
 * @param column the index of the column
 * @param accepts whether a cell meets the condition
 */
record Condition(int column, Predicate<ByteBuffer> accepts) {

  /** Limit on the conditions of a statement, each of which may be tested on each row. */
  static final int MAX = 100;

  static List<Condition> of(List<Restriction> where, RowSet table, BoundValues values)
      throws NotAnswerable {
    if (where.size() > MAX) {
      throw NotAnswerable.tooMany(MAX, "conditions");
    }
    Terms terms = new Terms(values);
    List<Condition> conditions = new ArrayList<>();
    for (Restriction restriction : where) {
      conditions.add(of(restriction, table, terms));
    }
    return conditions;
  }

  private static Condition of(Restriction restriction, RowSet table, Terms terms)
      throws NotAnswerable {
    int column = column(restriction, table);
    RowSet.Column compared = table.columns().get(column);
    return switch (restriction.operator()) {
      case EQ, IN, IN_MARKER -> new Condition(column, anyOf(terms.of(restriction, compared)));
      case LT, LTE, GT, GTE, BETWEEN ->
          new Condition(
              column,
              within(
                  restriction.operator(),
                  terms.of(restriction, compared),
                  CellOrder.of(Terms.typeOf(compared))));
      default -> throw NotAnswerable.unsupported("this condition");
    };
  }

  /** Returns the index of the restricted column. */
  static int column(Restriction restriction, RowSet table) throws NotAnswerable {
    if (restriction.subject() != Restriction.Subject.COLUMN) {
      throw NotAnswerable.unsupported("this condition");
    }
    String name = restriction.columns().get(0);
    int column = table.indexOf(name);
    if (column < 0) {
      throw new NotAnswerable("Undefined column name " + name);
    }
    return column;
  }

  private static Predicate<ByteBuffer> anyOf(List<@Nullable ByteBuffer> values) {
    Set<@Nullable ByteBuffer> any = new HashSet<>(values);
    return any::contains;
  }

  private static Predicate<ByteBuffer> within(
      Operator operator, List<@Nullable ByteBuffer> values, Comparator<byte[]> order) {
    List<byte[]> bounds = new ArrayList<>();
    for (ByteBuffer value : values) {
      if (value == null) {
        return cell -> false;
      }
      bounds.add(Cells.array(value));
    }
    byte[] first = bounds.get(0);
    return switch (operator) {
      case LT -> cell -> order.compare(Cells.array(cell), first) < 0;
      case LTE -> cell -> order.compare(Cells.array(cell), first) <= 0;
      case GT -> cell -> order.compare(Cells.array(cell), first) > 0;
      case GTE -> cell -> order.compare(Cells.array(cell), first) >= 0;
      default -> {
        byte[] last = bounds.get(1);
        yield cell ->
            order.compare(Cells.array(cell), first) >= 0
                && order.compare(Cells.array(cell), last) <= 0;
      }
    };
  }

  boolean holds(List<@Nullable ByteBuffer> row) {
    ByteBuffer cell = row.get(column);
    return cell != null && accepts.test(cell);
  }
}
