package io.sluice.evaluate.figures;

import java.util.List;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * A mean with its 95 % confidence interval.
 *
 * @param mean the mean; not a number if there is nothing to take it of
 * @param low where the interval begins; not a number if there are fewer than two values
 * @param high where it ends
 * @param values of how many values
 */
public record Interval(double mean, double low, double high, int values) {
  private static final double TAIL = 0.975;

  /** Of values that are independent of each other: Student's t. */
  public static Interval of(List<Double> values) {
    int n = values.size();
    double mean = values.stream().mapToDouble(v -> v).average().orElse(Double.NaN);
    if (n < 2) {
      return new Interval(mean, Double.NaN, Double.NaN, n);
    }
    double squares = values.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
    double half =
        TDistribution.of(n - 1).inverseCumulativeProbability(TAIL)
            * Math.sqrt(squares / (n - 1) / n);
    return new Interval(mean, mean - half, mean + half, n);
  }

  /**
   * Of ratios, each from one round: their geometric mean, with the interval of their logarithms.
   */
  public static Interval ofRatios(List<Double> ratios) {
    Interval logs = of(ratios.stream().map(Math::log).toList());
    return new Interval(Math.exp(logs.mean), Math.exp(logs.low), Math.exp(logs.high), logs.values);
  }

  /** Whether there is an interval at all. */
  public boolean isKnown() {
    return !Double.isNaN(low);
  }

  /** Whether all of it lies below a value. */
  public boolean isBelow(double value) {
    return isKnown() && high < value;
  }

  /** Whether all of it lies above a value. */
  public boolean isAbove(double value) {
    return isKnown() && low > value;
  }
}
