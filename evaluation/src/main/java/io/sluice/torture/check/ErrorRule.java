package io.sluice.torture.check;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The rule for errors: an error is of an allowed kind, and its request overlaps a fault or the
 * grace time after one. A connection is closed only by a fault of the process at its other end. A
 * transaction may time out by contention at any time.
 */
final class ErrorRule {
  private final long graceNanos;

  ErrorRule(long graceNanos) {
    this.graceNanos = graceNanos;
  }

  List<Violation> check(History history) {
    List<Violation> violations = new ArrayList<>();
    for (Operation each : history.operations()) {
      Failure failure = each.call().failure();
      if (failure == null) {
        continue;
      }
      if (!failure.kind().allowed()) {
        violations.add(violation("an error that no fault may cause", each));
      } else if (!mayContend(each, failure) && isCalm(history, each.call(), fault -> true)) {
        violations.add(violation("an error without a fault", each));
      } else if (failure.kind() == Failure.Kind.CLOSED
          && !mayClose(history, each.call(), failure)) {
        violations.add(violation("a connection that no fault may close", each));
      }
    }
    return violations;
  }

  private static boolean mayContend(Operation operation, Failure failure) {
    return failure.kind() == Failure.Kind.TIMEOUT
        && (operation instanceof Operation.Cas || operation instanceof Operation.SerialRead);
  }

  /** Whether the request overlaps a fault of each process whose connection was closed. */
  private boolean mayClose(History history, Call call, Failure failure) {
    return failure.closedAt().isEmpty()
        ? !isCalm(history, call, Disturbance::closes)
        : failure.closedAt().stream()
            .noneMatch(address -> isCalm(history, call, fault -> fault.mayClose(address)));
  }

  /** Whether the request overlaps none of these faults. */
  private boolean isCalm(History history, Call call, Predicate<Disturbance> faults) {
    return history.disturbances().stream()
        .filter(faults)
        .noneMatch(fault -> call.begin() <= fault.to() + graceNanos && call.end() >= fault.from());
  }

  private static Violation violation(String what, Operation evidence) {
    return new Violation(Violation.Rule.ERRORS, what, List.of(evidence));
  }
}
