package io.sluice.evaluate;

import java.util.function.LongConsumer;

/** Reports the progress of a task, each tenth once. Safe for any thread. */
final class Percent {
  private static final int STEP = 10;

  private final long total;
  private final LongConsumer report;
  private long reported;

  Percent(long total, LongConsumer report) {
    this.total = total;
    this.report = report;
  }

  synchronized void done(long done) {
    long percent = done * 100 / total / STEP * STEP;
    if (percent > reported) {
      reported = percent;
      report.accept(percent);
    }
  }
}
