package io.sluice.torture.check;

import java.util.List;

/**
 * A violation of a rule for stores.
 *
 * @param rule the rule
 * @param what a description in one line
 * @param evidence a few operations that prove it
 */
public record Violation(Rule rule, String what, List<Operation> evidence) {

  /** A rule of the checker. */
  public enum Rule {
    /** Every request has one outcome, and every answer belongs to a request. */
    ONE_OUTCOME,
    /** Errors are of allowed kinds, and overlap a fault; a refused request has no effect. */
    ERRORS,
    /** A value was written, is neither too old nor from the future; reads do not go back. */
    VALUES,
    /** A scan has all rows that existed throughout, none twice, in the order of other scans. */
    SCANS,
    /** The transactions of a register are linearizable. */
    REGISTERS,
    /** A counter is between the acknowledged and the requested sum of increments. */
    COUNTERS,
    /** A list has every acknowledged element, none twice, and no other. */
    LISTS
  }

  /** Copies the evidence. */
  public Violation {
    evidence = List.copyOf(evidence);
  }
}
