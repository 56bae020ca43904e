package io.sluice.torture.check;

import java.util.ArrayList;
import java.util.List;

/**
 * Errors are of the allowed kinds, and the request overlaps a fault or the time of grace after it.
 * Transactions are refused for contention at any time.
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
      } else if (!mayContend(each, failure) && calm(history, each.call())) {
        violations.add(violation("an error without a fault", each));
      }
    }
    return violations;
  }

  private static boolean mayContend(Operation operation, Failure failure) {
    return failure.kind() == Failure.Kind.TIMEOUT
        && (operation instanceof Operation.Cas || operation instanceof Operation.SerialRead);
  }

  private boolean calm(History history, Call call) {
    return history.disturbances().stream()
        .noneMatch(fault -> call.begin() <= fault.to() + graceNanos && call.end() >= fault.from());
  }

  private static Violation violation(String what, Operation evidence) {
    return new Violation(Violation.Rule.ERRORS, what, List.of(evidence));
  }
}
