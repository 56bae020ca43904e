package io.sluice.execute.merge;

import io.sluice.decide.plan.FoldColumn;
import io.sluice.wire.RowCursor;
import org.jspecify.annotations.Nullable;

/**
 * One result column of an aggregate in the making. What the parts hold are results of Cassandra's
 * own aggregates (its {@code AggregateFcts}), so this only has to put results together.
 */
interface Accumulator {

  /** Takes the row of one part, in the order of the pieces. */
  void add(RowCursor row);

  /** The result's cell; null for null. */
  byte @Nullable [] result();

  /**
   * The one for a column.
   *
   * @throws IllegalArgumentException when parts of it cannot be put together exactly
   */
  static Accumulator of(FoldColumn column) {
    return switch (column.kind()) {
      case COUNT -> new IntegerSum(column.part(), Long.BYTES);
      case SUM -> sum(column);
      case MIN -> new MinMax(column.part(), CellOrder.of(column.type()).reversed());
      case MAX -> new MinMax(column.part(), CellOrder.of(column.type()));
      case AVG -> new Average(column.part(), column.count(), averageLength(column.type()));
    };
  }

  private static Accumulator sum(FoldColumn column) {
    return switch (column.type()) {
      case "tinyint" -> new IntegerSum(column.part(), Byte.BYTES);
      case "smallint" -> new IntegerSum(column.part(), Short.BYTES);
      case "int" -> new IntegerSum(column.part(), Integer.BYTES);
      case "bigint", "counter" -> new IntegerSum(column.part(), Long.BYTES);
      case "varint" -> new IntegerSum(column.part(), 0);
      case "decimal" -> new DecimalSum(column.part());
      default -> throw new IllegalArgumentException("No exact SUM of parts of " + column.type());
    };
  }

  /** A decimal's average is rounded at each row, a float's sum too: both depend on the order. */
  private static int averageLength(String type) {
    return switch (type) {
      case "tinyint" -> Byte.BYTES;
      case "smallint" -> Short.BYTES;
      case "int" -> Integer.BYTES;
      case "bigint", "counter" -> Long.BYTES;
      case "varint" -> 0;
      default -> throw new IllegalArgumentException("No exact AVG of parts of " + type);
    };
  }
}
