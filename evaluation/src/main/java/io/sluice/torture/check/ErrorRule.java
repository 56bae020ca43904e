package io.sluice.torture.check;

import java.util.ArrayList;
import java.util.List;

/**
 * Errors are of the allowed kinds, and the request overlaps a fault or the time of grace after it.
 * Connections are closed only by a fault of what clients are connected to. Transactions are refused
 * for contention at any time.
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
      } else if (!mayContend(each, failure) && calm(history, each.call(), false)) {
        violations.add(violation("an error without a fault", each));
      } else if (failure.kind() == Failure.Kind.CLOSED && calm(history, each.call(), true)) {
        violations.add(violation("a connection that no fault may close", each));
      }
    }
    return violations;
  }

  private static boolean mayContend(Operation operation, Failure failure) {
    return failure.kind() == Failure.Kind.TIMEOUT
        && (operation instanceof Operation.Cas || operation instanceof Operation.SerialRead);
  }

  /** Whether it overlaps no fault, or none that closes connections. */
  private boolean calm(History history, Call call, boolean thatCloses) {
    return history.disturbances().stream()
        .filter(fault -> fault.closes() || !thatCloses)
        .noneMatch(fault -> call.begin() <= fault.to() + graceNanos && call.end() >= fault.from());
  }

  private static Violation violation(String what, Operation evidence) {
    return new Violation(Violation.Rule.ERRORS, what, List.of(evidence));
  }
}
