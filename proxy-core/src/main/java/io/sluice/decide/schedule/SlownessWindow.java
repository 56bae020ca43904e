package io.sluice.decide.schedule;

/**
 * A window of samples for {@link RangeLimiter}: how slow answers are, and how much that differs
 * from read to read. Not safe for several threads.
 */
final class SlownessWindow {
  private static final int MIN_SAMPLES = 10;
  private static final long MIN_NANOS = 5_000_000;
  private static final double FIRST_VARIANCE = 0.1;
  private static final double VARIANCE_PACE = 0.2;

  private final double precision;

  /** Variance of the logarithm of the slowness, from the windows before this one. */
  private double variance = FIRST_VARIANCE;

  private long since;
  private int samples;
  private int samplesAtLimit;
  private double logSum;
  private double squareSum;
  private double sizeSum;

  /**
   * Creates a window without samples.
   *
   * @param factor the least change of the slowness to detect; above 1
   * @param standardErrors that change, in standard errors of the mean; with more, windows are
   *     longer and chance is mistaken for a change less often
   */
  SlownessWindow(double factor, double standardErrors) {
    double deviations = standardErrors / Math.log(factor);
    this.precision = deviations * deviations;
  }

  /** Begins the next window. */
  void open(long now) {
    if (samples >= MIN_SAMPLES) {
      variance += VARIANCE_PACE * (varianceOfSamples() - variance);
    }
    since = now;
    samples = 0;
    samplesAtLimit = 0;
    logSum = 0;
    squareSum = 0;
    sizeSum = 0;
  }

  private double varianceOfSamples() {
    double mean = logSum / samples;
    return squareSum / samples - mean * mean;
  }

  /** Adds a sample; see {@link RangeLimiter#sample}. */
  void add(double slowness, double size, boolean limitReached) {
    double log = Math.log(slowness);
    samples++;
    samplesAtLimit += limitReached ? 1 : 0;
    logSum += log;
    squareSum += log * log;
    sizeSum += size;
  }

  /**
   * Whether there are enough samples: as many as the noise of earlier windows requires, and at
   * least {@code slots}.
   */
  boolean isFull(int slots, long now) {
    return samples >= Math.max(Math.max(MIN_SAMPLES, slots), precision * variance)
        && now - since >= MIN_NANOS;
  }

  /** Returns the geometric mean of the slowness. */
  double slowness() {
    return Math.exp(logSum / samples);
  }

  /** Returns the mean size of a read, in reads of one row of its table. */
  double size() {
    return sizeSum / samples;
  }

  /** Whether at least one of {@code n} reads reached the limit. */
  boolean limitReachedByOneOf(int n) {
    return samplesAtLimit * n >= samples;
  }

  /** Returns the duration of the window so far, ns. */
  long nanos(long now) {
    return now - since;
  }
}
