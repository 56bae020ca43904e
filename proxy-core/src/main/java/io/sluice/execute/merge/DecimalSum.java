package io.sluice.execute.merge;

import io.sluice.wire.CellOrder;
import io.sluice.wire.RowsAnswer.RowCursor;
import java.math.BigDecimal;
import java.nio.ByteBuffer;

/** An exact SUM of decimals, with the largest scale of all values. */
final class DecimalSum implements Accumulator {

  /**
   * The most digits by which one value is extended to the scale of another. Two values of five
   * bytes, with the scales 0 and 300,000,000, have a sum of 125 MB.
   */
  private static final int MOST_DIGITS = 10_000;

  private final int column;
  private BigDecimal sum = BigDecimal.ZERO;

  DecimalSum(int column) {
    this.column = column;
  }

  @Override
  public void add(RowCursor row) {
    byte[] cell = row.cell(column);
    if (cell.length > 0) {
      BigDecimal value = CellOrder.decimal(cell);
      if (Math.abs((long) value.scale() - sum.scale()) > MOST_DIGITS) {
        throw new ArithmeticException("The scales of decimals differ by more than " + MOST_DIGITS);
      }
      sum = sum.add(value);
    }
  }

  @Override
  public byte[] result() {
    byte[] digits = sum.unscaledValue().toByteArray();
    return ByteBuffer.allocate(Integer.BYTES + digits.length)
        .putInt(sum.scale())
        .put(digits)
        .array();
  }
}
