package io.sluice.meter;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import io.sluice.meter.ReadMeters.ReadTimes;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The recent times of a timer with buckets. It requires a registry whose buckets count from the
 * start, as those for Prometheus do. Recording costs nothing extra. Safe for any thread.
 */
final class RecentTimes {

  /** Number of marks that are kept: with one in five seconds, those of a minute. */
  static final int KEPT = 12;

  private static final double HALF = 0.5;
  private static final double NEARLY_ALL = 0.99;

  private final Timer timer;

  /** The counts at each mark, the oldest first. */
  @GuardedBy("this")
  private final ArrayDeque<double[]> marks = new ArrayDeque<>(KEPT);

  RecentTimes(Timer timer) {
    this.timer = timer;
  }

  /** Marks the counts until now. */
  synchronized void mark() {
    if (marks.size() == KEPT) {
      marks.remove();
    }
    marks.add(counts(timer.takeSnapshot()));
  }

  /** Returns the quantiles of the times since the oldest mark; null when there were none. */
  @Nullable ReadTimes times() {
    HistogramSnapshot now = timer.takeSnapshot();
    double[] counts = counts(now);
    double[] before = oldest();
    for (int i = 0; before != null && i < counts.length; i++) {
      counts[i] -= before[i];
    }
    if (counts[counts.length - 1] <= 0) {
      return null;
    }
    double[] bounds =
        Arrays.stream(now.histogramCounts())
            .mapToDouble(each -> each.bucket(TimeUnit.MILLISECONDS))
            .toArray();
    return new ReadTimes(quantile(HALF, counts, bounds), quantile(NEARLY_ALL, counts, bounds));
  }

  private synchronized double @Nullable [] oldest() {
    return marks.peek();
  }

  /** Returns the cumulative count at each bound, and the total count as the last element. */
  private static double[] counts(HistogramSnapshot snapshot) {
    CountAtBucket[] buckets = snapshot.histogramCounts();
    double[] counts = new double[buckets.length + 1];
    for (int i = 0; i < buckets.length; i++) {
      counts[i] = buckets[i].count();
    }
    counts[buckets.length] = snapshot.count();
    return counts;
  }

  /**
   * Returns a quantile as Prometheus computes it: times are spread evenly in a bucket, and the
   * result is at most the last bound.
   */
  private static double quantile(double share, double[] counts, double[] bounds) {
    double rank = share * counts[counts.length - 1];
    double below = 0;
    double low = 0;
    for (int i = 0; i < bounds.length && !Double.isInfinite(bounds[i]); i++) {
      if (counts[i] >= rank) {
        return low + (bounds[i] - low) * (rank - below) / (counts[i] - below);
      }
      below = counts[i];
      low = bounds[i];
    }
    return low;
  }
}
