package io.sluice.simulator.fig5;

/**
 * A mean with its confidence interval.
 *
 * @param mean of all samples
 * @param halfWidth the true mean lies within this of {@code mean} with 95 % confidence; NaN for
 *     fewer than two samples
 */
public record Estimate(double mean, double halfWidth) {
  private static final double NORMAL_975 = 1.959964;

  /** Estimates from independent samples of about normal distribution. */
  static Estimate of(double... samples) {
    double sum = 0;
    for (double sample : samples) {
      sum += sample;
    }
    double mean = sum / samples.length;
    double squares = 0;
    for (double sample : samples) {
      squares += (sample - mean) * (sample - mean);
    }
    int freedom = samples.length - 1;
    return new Estimate(mean, studentT(freedom) * Math.sqrt(squares / freedom / samples.length));
  }

  /** Returns Student's t at 97.5 % from the normal quantile (Abramowitz, Stegun 26.7.5). */
  private static double studentT(double freedom) {
    double z = NORMAL_975;
    double cube = z * z * z;
    double first = (cube + z) / 4;
    double second = (5 * cube * z * z + 16 * cube + 3 * z) / 96;
    return z + first / freedom + second / (freedom * freedom);
  }
}
