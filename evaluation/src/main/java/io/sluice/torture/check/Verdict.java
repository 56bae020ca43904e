package io.sluice.torture.check;

import java.util.List;

/**
 * The result of the checker.
 *
 * @param violations the violations
 * @param undecided registers whose search was given up
 */
public record Verdict(List<Violation> violations, List<Long> undecided) {
  /** Copies the lists. */
  public Verdict {
    violations = List.copyOf(violations);
    undecided = List.copyOf(undecided);
  }
}
