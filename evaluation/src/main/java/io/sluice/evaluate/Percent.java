package io.sluice.evaluate;

import java.util.function.LongConsumer;

/** Tells each tenth of a task once. Safe for any thread. */
final class Percent {
  private static final int STEP = 10;

  private final long total;
  private final LongConsumer tell;
  private long told;

  Percent(long total, LongConsumer tell) {
    this.total = total;
    this.tell = tell;
  }

  synchronized void done(long done) {
    long percent = done * 100 / total / STEP * STEP;
    if (percent > told) {
      told = percent;
      tell.accept(percent);
    }
  }
}
