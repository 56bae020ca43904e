package io.sluice.torture.check;

import java.util.List;

/**
 * What the checker found.
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
