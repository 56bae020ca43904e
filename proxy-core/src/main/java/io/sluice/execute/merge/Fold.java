package io.sluice.execute.merge;

import io.sluice.decide.plan.MergeRule.FoldColumn;
import io.sluice.wire.CellOrder;
import io.sluice.wire.RowsAnswer.RowCursor;
import io.sluice.wire.RowsPage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Combines the one row of each piece into the one row of an aggregate. */
final class Fold {

  /** The longest decimal that is combined, in bytes. Time grows with the square of its length. */
  static final int LONGEST_DECIMAL = 4_096;

  private final List<Accumulator> columns;

  /**
   * Creates a fold without values.
   *
   * @throws IllegalArgumentException when a column cannot be folded exactly
   */
  Fold(List<FoldColumn> columns) {
    this.columns = columns.stream().map(Fold::accumulator).toList();
  }

  int columns() {
    return columns.size();
  }

  /**
   * Takes the row of one piece, in the order of the pieces.
   *
   * @throws ArithmeticException when decimals take too long to combine
   * @throws RuntimeException when the row's cells are not of the types to fold
   */
  void add(RowCursor row) {
    for (Accumulator column : columns) {
      column.add(row);
    }
  }

  void writeTo(RowsPage page) {
    List<byte @Nullable []> row = new ArrayList<>();
    for (Accumulator column : columns) {
      row.add(column.result());
    }
    page.addRow(row);
  }

  /**
   * Creates the accumulator of a column.
   *
   * @throws IllegalArgumentException when results of pieces cannot be combined exactly
   */
  static Accumulator accumulator(FoldColumn column) {
    return switch (column.kind()) {
      case COUNT -> new IntegerSum(column.part(), Long.BYTES);
      case SUM -> sum(column);
      case MIN ->
          new MinMax(column.part(), CellOrder.of(column.type()).reversed(), longest(column));
      case MAX -> new MinMax(column.part(), CellOrder.of(column.type()), longest(column));
      case AVG -> new Average(column.part(), column.count(), averageLength(column.type()));
    };
  }

  private static int longest(FoldColumn column) {
    return column.type().equals("decimal") ? LONGEST_DECIMAL : Integer.MAX_VALUE;
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

  /**
   * Returns the length of the average in bytes; 0 for varint. Decimal and floating-point types are
   * not supported, because Cassandra rounds at each row, so the result depends on the order.
   */
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
