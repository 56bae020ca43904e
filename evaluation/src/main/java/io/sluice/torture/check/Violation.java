package io.sluice.torture.check;

import java.util.List;

/**
 * Something that a store must not do.
 *
 * @param rule the rule that it breaks
 * @param what what is wrong, in one line
 * @param evidence the operations that show it, at most a few
 */
public record Violation(Rule rule, String what, List<Operation> evidence) {

  /** The rules of the checker. */
  public enum Rule {
    /** Every request has one outcome. */
    ONE_OUTCOME,
    /** Errors are of the allowed kinds, and there is a fault to cause them. */
    ERRORS,
    /** A value that is read was written, not too long ago and not later; reads do not go back. */
    VALUES,
    /** A scan has all rows that were there throughout, and none twice. */
    SCANS,
    /** The transactions of a register are linearizable. */
    REGISTERS,
    /** A counter lies between what was acknowledged and what was asked for. */
    COUNTERS,
    /** A list has every acknowledged element, none twice, and no other. */
    LISTS
  }

  /** Takes a copy of the evidence. */
  public Violation {
    evidence = List.copyOf(evidence);
  }
}
