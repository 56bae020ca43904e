package io.sluice.execute.merge;

import io.sluice.wire.RowsAnswer.RowCursor;
import java.math.BigInteger;

/** The AVG of integers: an exact sum divided by a count, rounded towards zero; 0 without values. */
final class Average implements Accumulator {
  private final int column;
  private final int count;
  private final int length;
  private BigInteger sum = BigInteger.ZERO;
  private BigInteger values = BigInteger.ZERO;

  Average(int column, int count, int length) {
    this.column = column;
    this.count = count;
    this.length = length;
  }

  @Override
  public void add(RowCursor row) {
    sum = sum.add(WholeNumber.read(row.cell(column)));
    values = values.add(WholeNumber.read(row.cell(count)));
  }

  @Override
  public byte[] result() {
    return WholeNumber.write(values.signum() == 0 ? BigInteger.ZERO : sum.divide(values), length);
  }
}
