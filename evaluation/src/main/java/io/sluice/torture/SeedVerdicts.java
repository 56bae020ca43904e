package io.sluice.torture;

import io.sluice.torture.check.Verdict;
import java.util.ArrayList;
import java.util.List;

/** The verdicts on the seeds of a command. Not safe for several threads. */
final class SeedVerdicts {
  private final List<Long> wrong = new ArrayList<>();
  private final List<Long> undecided = new ArrayList<>();
  private int seeds;

  /** Adds the verdict on a seed. */
  void add(long seed, Verdict verdict) {
    seeds++;
    if (!verdict.violations().isEmpty()) {
      wrong.add(seed);
    }
    if (!verdict.undecided().isEmpty()) {
      undecided.add(seed);
    }
  }

  /** Whether no seed has a violation. */
  boolean right() {
    return wrong.isEmpty();
  }

  /** Returns all verdicts in one line. */
  String line() {
    return seeds
        + " seeds"
        + (wrong.isEmpty() ? ", no violation" : ", violations: " + wrong)
        + (undecided.isEmpty() ? "" : ", with undecided registers: " + undecided);
  }
}
