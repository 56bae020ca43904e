package io.sluice.evaluate.report;

/**
 * One result of an evaluation.
 *
 * @param verdict its meaning for Sluice
 * @param sentence the finding as a complete sentence
 */
record Finding(Verdict verdict, String sentence) {
  /** The meaning of a finding for Sluice. */
  enum Verdict {
    BETTER,
    SAME,
    WORSE,
    NOTE,
    /** Not about Sluice: an event during the measurement that may have distorted figures. */
    DOUBT
  }
}
