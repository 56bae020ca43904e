package io.sluice.simulator.fig5;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The results of the orders.
 *
 * @param seed the seed of the random numbers
 * @param seeds batches of each size
 * @param points by number of queries, then order
 */
public record Fig5Result(long seed, int seeds, List<Point> points) {

  public Fig5Result {
    points = List.copyOf(points);
  }

  /**
   * The result of one order at one number of queries.
   *
   * @param queries queries in a batch
   * @param order the order
   * @param steps mean response
   * @param ofFifo mean response over FIFO's to the same batch
   * @param ofBound mean response over the exact bound for the same batch
   */
  public record Point(int queries, Order order, Estimate steps, Estimate ofFifo, Estimate ofBound) {

    static Point of(int queries, Order order, double[] means, Map<Order, double[]> all) {
      return new Point(
          queries,
          order,
          Estimate.of(means),
          ratio(means, Objects.requireNonNull(all.get(Order.FIFO))),
          ratio(means, Objects.requireNonNull(all.get(Order.BOUND))));
    }

    private static Estimate ratio(double[] means, double[] others) {
      double[] ratios = new double[means.length];
      for (int i = 0; i < means.length; i++) {
        ratios[i] = means[i] / others[i];
      }
      return Estimate.of(ratios);
    }
  }

  /** Returns the result of one order at one number of queries, which must exist. */
  public Point point(Order order, int queries) {
    return points.stream()
        .filter(point -> point.order() == order && point.queries() == queries)
        .findFirst()
        .orElseThrow();
  }

  /** Returns the mean, over all numbers of queries, of the response relative to FIFO's. */
  public double curveMean(Order order) {
    return points.stream()
        .filter(point -> point.order() == order)
        .mapToDouble(point -> point.ofFifo().mean())
        .average()
        .orElseThrow();
  }

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
}
