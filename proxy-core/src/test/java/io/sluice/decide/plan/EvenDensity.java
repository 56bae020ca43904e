package io.sluice.decide.plan;

import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;

/**
 * A table whose partitions lie evenly on the ring, with two rows each.
 *
 * @param whole partitions in all
 */
record EvenDensity(double whole, Token minimum) implements Density {
  @Override
  public boolean known() {
    return true;
  }

  @Override
  public double partitions(TokenRange range) {
    return whole * range.share(minimum);
  }

  @Override
  public double rows(TokenRange range) {
    return 2 * partitions(range);
  }
}
