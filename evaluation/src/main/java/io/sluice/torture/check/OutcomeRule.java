package io.sluice.torture.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rule for outcomes: every request has exactly one, and every answer belongs to a request. */
final class OutcomeRule {
  private OutcomeRule() {}

  static List<Violation> check(History history) {
    List<Violation> violations = new ArrayList<>();
    Map<Long, Operation> known = new HashMap<>();
    for (Operation each : history.operations()) {
      Operation other = known.put(each.call().id(), each);
      if (each instanceof Operation.Surplus) {
        violations.add(violation("an answer to no request", List.of(each)));
      }
      if (other != null) {
        violations.add(violation("a request has two outcomes", List.of(other, each)));
      }
    }
    long open = history.asked() - known.size();
    if (open != 0) {
      violations.add(violation("requests without an outcome: " + open, List.of()));
    }
    return violations;
  }

  private static Violation violation(String what, List<Operation> evidence) {
    return new Violation(Violation.Rule.ONE_OUTCOME, what, evidence);
  }
}
