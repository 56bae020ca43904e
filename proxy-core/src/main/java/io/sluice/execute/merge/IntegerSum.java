package io.sluice.execute.merge;

import io.sluice.wire.RowsAnswer.RowCursor;
import java.math.BigInteger;

/**
 * A SUM of integers that wraps around in its type. Arithmetic modulo 2^n does not depend on when it
 * wraps.
 */
final class IntegerSum implements Accumulator {
  private final int column;
  private final int length;
  private BigInteger sum = BigInteger.ZERO;

  IntegerSum(int column, int length) {
    this.column = column;
    this.length = length;
  }

  @Override
  public void add(RowCursor row) {
    sum = sum.add(WholeNumber.read(row.cell(column)));
  }

  @Override
  public byte[] result() {
    return WholeNumber.write(sum, length);
  }
}
