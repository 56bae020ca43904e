package io.sluice.server.live;

import java.util.Arrays;

/** Quantiles of the values in a histogram of cumulative counts. Immutable. */
final class Quantiles {

  static final Quantiles NONE = new Quantiles(new double[0], new double[0]);

  private final double[] bounds;
  private final double[] counts;

  /**
   * Creates quantiles that own both arrays.
   *
   * @param bounds ascending upper bounds of the buckets, in any unit
   * @param counts number of values up to each bound, since the start
   */
  Quantiles(double[] bounds, double[] counts) {
    this.bounds = bounds;
    this.counts = counts;
  }

  /** Returns the sum of two histograms. If their buckets differ, returns this one. */
  Quantiles plus(Quantiles other) {
    if (bounds.length == 0) {
      return other;
    } else if (!Arrays.equals(bounds, other.bounds)) {
      return this;
    }
    double[] sum = counts.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += other.counts[i];
    }
    return new Quantiles(bounds, sum);
  }

  /** Returns the counts since {@code before}, an earlier reading of the same histogram. */
  Quantiles since(Quantiles before) {
    if (!Arrays.equals(bounds, before.bounds)) {
      return this;
    }
    double[] difference = counts.clone();
    for (int i = 0; i < difference.length; i++) {
      difference[i] -= before.counts[i];
    }
    return new Quantiles(bounds, difference);
  }

  /**
   * Returns a quantile, by linear interpolation within its bucket.
   *
   * @param share the share of values below it; above 0, at most 1
   * @return NaN when nothing was counted
   */
  double at(double share) {
    double all = counts.length == 0 ? 0 : counts[counts.length - 1];
    if (all <= 0) {
      return Double.NaN;
    }
    double rank = share * all;
    int bucket = 0;
    while (counts[bucket] < rank) {
      bucket++;
    }
    double below = bucket == 0 ? 0 : counts[bucket - 1];
    double from = bucket == 0 ? 0 : bounds[bucket - 1];
    double inside = counts[bucket] - below;
    return inside == 0 ? from : from + (bounds[bucket] - from) * (rank - below) / inside;
  }
}
