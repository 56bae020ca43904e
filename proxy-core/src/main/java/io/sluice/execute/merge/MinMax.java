package io.sluice.execute.merge;

import io.sluice.wire.RowCursor;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** The greatest; of equal values the first. */
final class MinMax implements Accumulator {
  private final int part;
  private final Comparator<byte[]> order;
  private byte @Nullable [] best;

  MinMax(int part, Comparator<byte[]> order) {
    this.part = part;
    this.order = order;
  }

  @Override
  public void add(RowCursor row) {
    if (row.length(part) >= 0) {
      byte[] value = row.cell(part);
      best = best == null || order.compare(value, best) > 0 ? value : best;
    }
  }

  @Override
  public byte @Nullable [] result() {
    return best;
  }
}
