package io.sluice.execute.merge;

import io.sluice.wire.CellOrder;
import io.sluice.wire.RowsAnswer.RowCursor;
import java.math.BigDecimal;
import java.nio.ByteBuffer;

/**
 * An exact SUM of decimals, with the largest scale of all values. Refuses long values, and values
 * of very different scales: two values of five bytes, with the scales 0 and 300,000,000, have a sum
 * of 125 MB, and each further value can multiply that again.
 */
final class DecimalSum implements Accumulator {

  /** The largest difference between any two scales, in digits. */
  private static final int MOST_DIGITS = 10_000;

  private final int column;
  private BigDecimal sum = BigDecimal.ZERO;
  private int lowestScale;
  private int highestScale;

  DecimalSum(int column) {
    this.column = column;
  }

  @Override
  public void add(RowCursor row) {
    byte[] cell = row.cell(column);
    if (cell.length > Fold.LONGEST_DECIMAL) {
      throw new ArithmeticException("A decimal has " + cell.length + " bytes");
    } else if (cell.length > 0) {
      BigDecimal value = CellOrder.decimal(cell);
      lowestScale = Math.min(lowestScale, value.scale());
      highestScale = Math.max(highestScale, value.scale());
      if ((long) highestScale - lowestScale > MOST_DIGITS) {
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
