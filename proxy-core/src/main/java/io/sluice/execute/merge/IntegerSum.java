package io.sluice.execute.merge;

import io.sluice.wire.RowCursor;
import java.math.BigInteger;

/** A sum that wraps around in its type: modulo 2^n it does not matter when. */
final class IntegerSum implements Accumulator {
  private final int part;
  private final int length;
  private BigInteger sum = BigInteger.ZERO;

  IntegerSum(int part, int length) {
    this.part = part;
    this.length = length;
  }

  @Override
  public void add(RowCursor row) {
    sum = sum.add(WholeNumber.read(row.cell(part)));
  }

  @Override
  public byte[] result() {
    return WholeNumber.write(sum, length);
  }
}
