package io.sluice.torture.check;

import java.util.ArrayList;
import java.util.List;

/** Judges a history by all rules. Immutable. */
public final class Checker {
  private final long graceNanos;
  private final long searchSteps;

  /**
   * Creates a checker.
   *
   * @param graceNanos time after a fault in which its errors are allowed
   * @param searchSteps the number of steps after which the search in a register's history is given
   *     up
   */
  public Checker(long graceNanos, long searchSteps) {
    this.graceNanos = graceNanos;
    this.searchSteps = searchSteps;
  }

  /** Returns all violations of a history. */
  public Verdict judge(History history) {
    List<Violation> violations = new ArrayList<>();
    violations.addAll(OutcomeRule.check(history));
    violations.addAll(new ErrorRule(graceNanos).check(history));
    violations.addAll(RefusalRule.check(history));
    Writes writes = Writes.in(history);
    violations.addAll(new ValueRule(writes).check(history));
    violations.addAll(new ScanRule(writes).check(history));
    violations.addAll(CounterRule.check(history));
    violations.addAll(ListRule.check(history));
    RegisterRule registers = new RegisterRule(searchSteps);
    violations.addAll(registers.check(history));
    return new Verdict(violations, registers.undecided());
  }
}
