package io.sluice.torture.check;

import io.sluice.torture.check.Operation.Append;
import io.sluice.torture.check.Operation.ListRead;
import io.sluice.torture.check.Operation.Page;
import io.sluice.torture.check.Operation.Read;
import io.sluice.torture.check.Operation.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rule for refused writes and appends: no read shows their values. {@link CounterRule} judges
 * refused increments. Transactions are left out: Cassandra may find too few replicas when it
 * commits an accepted change.
 */
final class RefusalRule {
  /** The refused requests by their values, which are unique in a run. */
  private final Map<Long, Operation> refused = new HashMap<>();

  private final List<Violation> violations = new ArrayList<>();

  private RefusalRule() {}

  static List<Violation> check(History history) {
    RefusalRule rule = new RefusalRule();
    history.all(Write.class).forEach(each -> rule.addRefused(each, each.value()));
    history.all(Append.class).forEach(each -> rule.addRefused(each, each.element()));
    rule.refused.remove(Operation.ABSENT);
    history.all(Read.class).forEach(each -> rule.check(each, each.value()));
    history
        .all(Page.class)
        .forEach(page -> page.rows().forEach(row -> rule.check(page, row.value())));
    history
        .all(ListRead.class)
        .forEach(list -> list.elements().forEach(element -> rule.check(list, element)));
    return rule.violations;
  }

  private void addRefused(Operation operation, long value) {
    if (operation.call().refused()) {
      refused.put(value, operation);
    }
  }

  /** Checks a shown value. Each refused request is reported once. */
  private void check(Operation shownBy, long value) {
    Operation request = refused.remove(value);
    if (request != null) {
      violations.add(
          new Violation(
              Violation.Rule.ERRORS,
              "a refused request has taken effect: value " + value,
              List.of(request, shownBy)));
    }
  }
}
