package io.sluice.evaluate;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long an evaluation will still take, as far as one can tell from what is done.
 *
 * @param steps how many there are in all
 * @param limit of the whole evaluation; null: none
 */
record TimeLeft(int steps, @Nullable Duration limit) {
  /** Whether one more step should still end within the limit. */
  boolean allowsOneMore(int done, Duration measuring, Duration sinceBegin, Duration planned) {
    Duration next = done == 0 ? planned : measuring.dividedBy(done);
    return limit == null || sinceBegin.plus(next).compareTo(limit) <= 0;
  }

  /** What a person is told before a step. */
  String text(int done, Duration measuring, Duration planned) {
    Duration each = done == 0 ? planned : measuring.dividedBy(done);
    long seconds = each.multipliedBy(steps - done).toSeconds();
    return seconds < 60
        ? seconds + " s left"
        : seconds < 3600
            ? seconds / 60 + " min " + seconds % 60 + " s left"
            : seconds / 3600 + " h " + seconds % 3600 / 60 + " min left";
  }
}
