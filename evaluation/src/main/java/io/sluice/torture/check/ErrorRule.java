package io.sluice.torture.check;

import java.util.ArrayList;
import java.util.List;

/**
 * The rule for errors: an error is of an allowed kind, and its request overlaps a fault or the
 * grace time after one. Connections are closed only by faults of the processes that clients are
 * connected to. A transaction may time out by contention at any time.
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
      } else if (!mayContend(each, failure) && isCalm(history, each.call(), false)) {
        violations.add(violation("an error without a fault", each));
      } else if (failure.kind() == Failure.Kind.CLOSED && isCalm(history, each.call(), true)) {
        violations.add(violation("a connection that no fault may close", each));
      }
    }
    return violations;
  }

  private static boolean mayContend(Operation operation, Failure failure) {
    return failure.kind() == Failure.Kind.TIMEOUT
        && (operation instanceof Operation.Cas || operation instanceof Operation.SerialRead);
  }

  /** Whether the request overlaps no fault, or no fault that closes connections. */
  private boolean isCalm(History history, Call call, boolean closingOnly) {
    return history.disturbances().stream()
        .filter(fault -> fault.closes() || !closingOnly)
        .noneMatch(fault -> call.begin() <= fault.to() + graceNanos && call.end() >= fault.from());
  }

  private static Violation violation(String what, Operation evidence) {
    return new Violation(Violation.Rule.ERRORS, what, List.of(evidence));
  }
}
