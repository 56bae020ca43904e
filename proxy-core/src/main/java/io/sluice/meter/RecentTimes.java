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
 * The times that a timer with buckets has counted of late. Of the registry it expects that buckets
 * count from the start, as those for Prometheus do. Nothing is added to what it costs to record.
 * Safe for any thread.
 */
final class RecentTimes {

  /** Marks that are kept: with one in five seconds those of a minute. */
  static final int KEPT = 12;

  private static final double HALF = 0.5;
  private static final double NEARLY_ALL = 0.99;

  private final Timer timer;

  /** What had been counted at each mark, the oldest first. */
  @GuardedBy("this")
  private final ArrayDeque<double[]> marks = new ArrayDeque<>(KEPT);

  RecentTimes(Timer timer) {
    this.timer = timer;
  }

  /** Remembers what was counted until now. */
  synchronized void mark() {
    if (marks.size() == KEPT) {
      marks.remove();
    }
    marks.add(counts(timer.takeSnapshot()));
  }

  /** The quantiles of what was counted since the oldest mark; null when there was nothing. */
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

  /** How many there are up to each bound, and behind these how many there are in all. */
  private static double[] counts(HistogramSnapshot snapshot) {
    CountAtBucket[] buckets = snapshot.histogramCounts();
    double[] counts = new double[buckets.length + 1];
    for (int i = 0; i < buckets.length; i++) {
      counts[i] = buckets[i].count();
    }
    counts[buckets.length] = snapshot.count();
    return counts;
  }

  /** As Prometheus does it: spread evenly in a bucket, and at most the last bound. */
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
