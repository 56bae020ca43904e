package io.sluice.decide.share;

import io.sluice.decide.plan.Density;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import org.jspecify.annotations.Nullable;

/** A table with one row for each token of a ring from 0 to {@link #END}. */
final class OneRowPerToken implements Density {

  static final int END = 10_000;

  @Override
  public boolean known() {
    return true;
  }

  @Override
  public double partitions(TokenRange range) {
    return rows(range);
  }

  @Override
  public double rows(TokenRange range) {
    return Math.max(0, value(range.upTo(), END) - value(range.after(), 0));
  }

  private static long value(@Nullable Token token, long open) {
    return token == null ? open : ((Token.Murmur3) token).value();
  }
}
