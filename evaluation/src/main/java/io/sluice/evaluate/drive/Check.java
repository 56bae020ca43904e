package io.sluice.evaluate.drive;

import java.util.SplittableRandom;

/** The degree to which answers are checked. The number of rows is always checked. */
public enum Check {
  /** Only the number of rows. */
  COUNTS(0),
  /** Every row of one answer in sixteen. The effort of the clients does not distort times. */
  SOME_ROWS(16),
  /** Every row of every answer. Use it for correctness, not for times. */
  ALL_ROWS(1);

  private final int oneIn;

  Check(int oneIn) {
    this.oneIn = oneIn;
  }

  /** Whether to check every row of the next answer. */
  boolean rowByRow(SplittableRandom random) {
    return oneIn == 1 || (oneIn > 1 && random.nextInt(oneIn) == 0);
  }
}
