package io.sluice.load;

/**
 * The mean number of requests started per second, over time: a steady rate, with bursts if {@code
 * burstFactor} is not 1. Each period begins with a burst.
 *
 * @param perSecond the rate outside bursts, above 0
 * @param burstFactor factor of the rate in bursts, above 0
 * @param periodSeconds time from the beginning of one burst to that of the next, above 0
 * @param burstSeconds length of a burst, 0 to the period
 */
public record RateProfile(
    double perSecond, double burstFactor, double periodSeconds, double burstSeconds) {

  /** Checks the ranges. */
  public RateProfile {
    require(perSecond > 0 && Double.isFinite(perSecond), "rate: above 0");
    require(burstFactor > 0 && Double.isFinite(burstFactor), "burst factor: above 0");
    require(periodSeconds > 0, "burst period: above 0");
    require(burstSeconds >= 0 && burstSeconds <= periodSeconds, "burst: 0 to its period");
  }

  /** Returns a profile with a constant rate. */
  public static RateProfile steady(double perSecond) {
    return new RateProfile(perSecond, 1, 1, 0);
  }

  /**
   * Returns the time at which the integral of the rate from {@code from} on reaches {@code amount}.
   *
   * @param from seconds from the beginning
   * @param amount expected number of requests
   * @return seconds from the beginning
   */
  double after(double from, double amount) {
    double period = Math.floor(from / periodSeconds);
    double at = from - period * periodSeconds;
    double left = amount;
    while (true) {
      boolean burst = at < burstSeconds;
      double end = burst ? burstSeconds : periodSeconds;
      double rate = burst ? perSecond * burstFactor : perSecond;
      double step = left / rate;
      if (at + step <= end) {
        return period * periodSeconds + at + step;
      }
      left -= (end - at) * rate;
      at = end;
      if (!burst) {
        at = 0;
        period++;
      }
    }
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
