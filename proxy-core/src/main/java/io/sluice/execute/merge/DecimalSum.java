package io.sluice.execute.merge;

import io.sluice.wire.CellOrder;
import io.sluice.wire.RowsAnswer.RowCursor;
import java.math.BigDecimal;
import java.nio.ByteBuffer;

/** An exact SUM of decimals, with the largest scale of all values. */
final class DecimalSum implements Accumulator {
  private final int column;
  private BigDecimal sum = BigDecimal.ZERO;

  DecimalSum(int column) {
    this.column = column;
  }

  @Override
  public void add(RowCursor row) {
    byte[] cell = row.cell(column);
    sum = cell.length == 0 ? sum : sum.add(CellOrder.decimal(cell));
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
