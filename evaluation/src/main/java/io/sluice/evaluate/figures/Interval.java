package io.sluice.evaluate.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * A mean with its 95 % confidence interval.
 *
 * @param mean the mean; NaN if there are no values
 * @param low lower end of the interval; NaN if there are fewer than two values
 * @param high upper end of the interval
 * @param values number of values
 */
public record Interval(double mean, double low, double high, int values) {
  private static final double TAIL = 0.975;

  /** Returns the mean and interval of independent values, by Student's t-distribution. */
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
   * Returns the geometric mean of ratios, one of each round, with the interval of their logarithms.
   * With a ratio of 0, the mean is 0 and has no interval.
   */
  public static Interval ofRatios(List<Double> ratios) {
    if (ratios.contains(0.0)) {
      return new Interval(0, Double.NaN, Double.NaN, ratios.size());
    }
    Interval logs = of(ratios.stream().map(Math::log).toList());
    return new Interval(Math.exp(logs.mean), Math.exp(logs.low), Math.exp(logs.high), logs.values);
  }

  /**
   * Returns the geometric mean of the ratios of two numbers in each round. Rounds in which one of
   * them is missing, or the divisor is 0, do not count.
   *
   * @param over the dividends by round
   * @param under the divisors by round
   */
  static Interval ofRatios(Map<Integer, Double> over, Map<Integer, Double> under) {
    List<Double> ratios = new ArrayList<>();
    over.forEach(
        (round, value) -> {
          double ratio = value / under.getOrDefault(round, Double.NaN);
          if (Double.isFinite(ratio)) {
            ratios.add(ratio);
          }
        });
    return ofRatios(ratios);
  }

  /** Whether the ratio of a round is 0, in a mean of ratios. */
  public boolean hasZero() {
    return values > 0 && mean == 0 && !isKnown();
  }

  /** Whether there is an interval. */
  public boolean isKnown() {
    return !Double.isNaN(low);
  }

  /** Whether the whole interval is below a value. */
  public boolean isBelow(double value) {
    return isKnown() && high < value;
  }

  /** Whether the whole interval is above a value. */
  public boolean isAbove(double value) {
    return isKnown() && low > value;
  }
}
