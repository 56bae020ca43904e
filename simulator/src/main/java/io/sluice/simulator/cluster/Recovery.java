package io.sluice.simulator.cluster;

import java.util.Arrays;

/**
 * Finds when as many reads are answered as before a disturbance. Answers are counted for each tenth
 * of a second. Not safe for several threads.
 */
final class Recovery {
  private static final long STEP_NANOS = 100_000_000;
  private static final long MAX_STEPS = 100_000;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double BACK = 0.9;

  private final int[] answeredIn;
  private long disturbed = Long.MAX_VALUE;

  /**
   * Creates an object without a disturbance.
   *
   * @param nanos the measured time, from which all other times count
   */
  Recovery(long nanos) {
    this.answeredIn = new int[(int) Math.min(MAX_STEPS, nanos / STEP_NANOS)];
  }

  /** Records a disturbance. The first one counts; it may be before the measured time. */
  void disturbedAt(long nanos) {
    disturbed = Math.min(disturbed, nanos);
  }

  /** Counts an answer in the measured time. */
  void answeredAt(long nanos) {
    int step = (int) (nanos / STEP_NANOS);
    if (step < answeredIn.length) {
      answeredIn[step]++;
    }
  }

  /** Returns {@link Outcome#backAfterSeconds}. */
  double backAfterSeconds() {
    if (disturbed == Long.MAX_VALUE) {
      return 0;
    }
    int at = (int) Math.max(0, Math.min(answeredIn.length, disturbed / STEP_NANOS));
    double usual = Arrays.stream(answeredIn, 0, at).average().orElse(0);
    int low = answeredIn.length - 1;
    while (low >= at && answeredIn[low] >= BACK * usual) {
      low--;
    }
    boolean never = low == answeredIn.length - 1;
    return never ? Double.POSITIVE_INFINITY : (low + 1 - at) * STEP_NANOS / NANOS_PER_SECOND;
  }
}
