package io.sluice.torture.check;

import java.util.List;

/**
 * The findings of the checker.
 *
 * @param violations what must not be
 * @param undecided the registers whose search was given up; neither right nor wrong
 */
public record Verdict(List<Violation> violations, List<Long> undecided) {
  /** Takes copies. */
  public Verdict {
    violations = List.copyOf(violations);
    undecided = List.copyOf(undecided);
  }
}
