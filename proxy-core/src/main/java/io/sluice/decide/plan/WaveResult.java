package io.sluice.decide.plan;

/**
 * The result of the earlier waves of a page.
 *
 * @param subRequests how many the last wave had; 0 before the first
 * @param estimated rows that the pieces read to their ends were thought to have
 * @param returned rows that they had
 */
public record WaveResult(int subRequests, double estimated, long returned) {

  /** Before the first wave. */
  public static final WaveResult NOTHING = new WaveResult(0, 0, 0);
}
