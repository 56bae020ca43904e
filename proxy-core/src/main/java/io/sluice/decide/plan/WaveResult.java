package io.sluice.decide.plan;

/**
 * The result of the earlier waves of a page.
 *
 * @param subRequests number of sub-requests in the last wave; 0 before the first
 * @param estimated estimated rows of the pieces that were read to their ends
 * @param returned their actual rows
 */
public record WaveResult(int subRequests, double estimated, long returned) {

  /** The result before the first wave. */
  public static final WaveResult NOTHING = new WaveResult(0, 0, 0);
}
