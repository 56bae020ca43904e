package io.sluice.torture.check;

import io.sluice.torture.check.Linearization.Result;
import io.sluice.torture.check.Linearization.Step;
import io.sluice.torture.check.Operation.Cas;
import io.sluice.torture.check.Operation.SerialRead;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The rule for registers: an order of the transactions and serial reads of each register explains
 * their outcomes.
 */
final class RegisterRule {
  private static final int SHOWN = 6;

  private final long searchSteps;
  private final List<Long> undecided = new ArrayList<>();

  RegisterRule(long searchSteps) {
    this.searchSteps = searchSteps;
  }

  /** Returns the registers whose search was given up in the check. */
  List<Long> undecided() {
    return undecided;
  }

  List<Violation> check(History history) {
    Map<Long, List<Operation>> registers = new TreeMap<>();
    for (Cas each : history.all(Cas.class)) {
      registers.computeIfAbsent(each.register(), r -> new ArrayList<>()).add(each);
    }
    for (SerialRead each : history.all(SerialRead.class)) {
      registers.computeIfAbsent(each.register(), r -> new ArrayList<>()).add(each);
    }
    List<Violation> violations = new ArrayList<>();
    registers.forEach((register, operations) -> check(register, operations, violations));
    return violations;
  }

  private void check(long register, List<Operation> operations, List<Violation> violations) {
    List<Operation> relevant = relevant(operations);
    Result result =
        Linearization.search(relevant.stream().map(RegisterRule::step).toList(), searchSteps);
    if (result.verdict() == Linearization.Verdict.UNDECIDED) {
      undecided.add(register);
    } else if (result.verdict() == Linearization.Verdict.IMPOSSIBLE) {
      int stuck = result.stuckAt();
      violations.add(
          new Violation(
              Violation.Rule.REGISTERS,
              "register " + register + " has no order that explains its transactions",
              relevant.subList(
                  Math.max(0, stuck - SHOWN / 2), Math.min(relevant.size(), stuck + SHOWN / 2))));
    }
  }

  /**
   * Returns the relevant operations, in the order in which they were sent. A failed read has no
   * information. A failed change whose value no operation expects or sees can be left out without
   * excluding an order.
   */
  private static List<Operation> relevant(List<Operation> operations) {
    Set<Long> mentioned = new HashSet<>();
    for (Operation each : operations) {
      if (each instanceof Cas cas) {
        mentioned.add(cas.expected());
        if (cas.call().acknowledged() && !cas.applied()) {
          mentioned.add(cas.seen());
        }
      } else if (each instanceof SerialRead read && read.call().acknowledged()) {
        mentioned.add(read.seen());
      }
    }
    return operations.stream()
        .filter(
            each ->
                each.call().acknowledged()
                    || (each instanceof Cas cas && mentioned.contains(cas.value())))
        .sorted(Comparator.comparingLong(each -> each.call().begin()))
        .toList();
  }

  private static Step step(Operation operation) {
    Call call = operation.call();
    if (operation instanceof Cas cas) {
      if (!call.acknowledged()) {
        return Step.open(call.begin(), cas.expected(), cas.value());
      }
      return cas.applied()
          ? Step.change(call.begin(), call.end(), cas.expected(), cas.value())
          : Step.refusal(call.begin(), call.end(), cas.expected(), cas.seen());
    }
    return Step.read(call.begin(), call.end(), ((SerialRead) operation).seen());
  }
}
