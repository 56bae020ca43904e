package io.sluice.execute.merge;

import io.sluice.wire.RowsAnswer.RowCursor;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** The greatest value by an order; the first of equal values. */
final class MinMax implements Accumulator {
  private final int column;
  private final Comparator<byte[]> order;
  private byte @Nullable [] best;

  MinMax(int column, Comparator<byte[]> order) {
    this.column = column;
    this.order = order;
  }

  @Override
  public void add(RowCursor row) {
    if (row.length(column) >= 0) {
      byte[] value = row.cell(column);
      best = best == null || order.compare(value, best) > 0 ? value : best;
    }
  }

  @Override
  public byte @Nullable [] result() {
    return best;
  }
}
