package io.sluice.evaluate.report;

/**
 * One thing that was found out.
 *
 * @param verdict what it means for Sluice
 * @param sentence for a person, complete
 */
record Finding(Verdict verdict, String sentence) {
  /** What a finding means for Sluice. */
  enum Verdict {
    BETTER,
    SAME,
    WORSE,
    NOTE,
    /** Nothing of Sluice's: what happened meanwhile, so that figures may be wrong. */
    DOUBT
  }
}
