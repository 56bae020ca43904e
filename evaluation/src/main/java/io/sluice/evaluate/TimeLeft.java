package io.sluice.evaluate;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the remaining time of an evaluation from its finished steps.
 *
 * @param planned planned length of each step
 * @param limit for the whole evaluation; null for none
 */
record TimeLeft(List<Duration> planned, @Nullable Duration limit) {
  TimeLeft {
    planned = List.copyOf(planned);
  }

  /** Whether one more step is expected to end within the limit. */
  boolean allowsOneMore(int done, Duration measuring, Duration sinceBegin) {
    Duration next = expected(planned.subList(done, done + 1), done, measuring);
    return limit == null || sinceBegin.plus(next).compareTo(limit) <= 0;
  }

  /** Returns the remaining time for people. */
  String text(int done, Duration measuring) {
    long seconds = expected(planned.subList(done, planned.size()), done, measuring).toSeconds();
    return seconds < 60
        ? seconds + " s left"
        : seconds < 3600
            ? seconds / 60 + " min " + seconds % 60 + " s left"
            : seconds / 3600 + " h " + seconds % 3600 / 60 + " min left";
  }

  /** Returns the planned length of the steps, stretched like that of the finished steps. */
  private Duration expected(List<Duration> steps, int done, Duration measuring) {
    double before = seconds(planned.subList(0, done));
    double stretch = before == 0 ? 1 : measuring.toMillis() / 1e3 / before;
    return Duration.ofMillis(Math.round(seconds(steps) * stretch * 1e3));
  }

  private static double seconds(List<Duration> steps) {
    return steps.stream().mapToLong(Duration::toMillis).sum() / 1e3;
  }
}
