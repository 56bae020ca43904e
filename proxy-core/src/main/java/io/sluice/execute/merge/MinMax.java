package io.sluice.execute.merge;

import io.sluice.wire.RowsAnswer.RowCursor;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** The greatest value by an order; the first of equal values. */
final class MinMax implements Accumulator {
  private final int column;
  private final Comparator<byte[]> order;
  private final int longest;
  private byte @Nullable [] best;

  /**
   * Creates an accumulator without values.
   *
   * @param longest the longest value that is compared, in bytes
   */
  MinMax(int column, Comparator<byte[]> order, int longest) {
    this.column = column;
    this.order = order;
    this.longest = longest;
  }

  @Override
  public void add(RowCursor row) {
    if (row.length(column) >= 0) {
      byte[] value = row.cell(column);
      if (value.length > longest) {
        throw new ArithmeticException("A value of " + value.length + " bytes");
      }
      best = best == null || order.compare(value, best) > 0 ? value : best;
    }
  }

  @Override
  public byte @Nullable [] result() {
    return best;
  }
}
