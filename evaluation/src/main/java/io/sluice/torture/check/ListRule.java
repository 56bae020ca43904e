package io.sluice.torture.check;

import io.sluice.torture.check.Operation.Append;
import io.sluice.torture.check.Operation.ListRead;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rule for lists: a read has every element whose append was acknowledged before the read began,
 * no element twice, and none whose append was sent after the read ended.
 */
final class ListRule {
  private ListRule() {}

  static List<Violation> check(History history) {
    Map<Long, Map<Long, Append>> lists = new HashMap<>();
    for (Append each : history.all(Append.class)) {
      lists.computeIfAbsent(each.list(), list -> new HashMap<>()).put(each.element(), each);
    }
    List<Violation> violations = new ArrayList<>();
    for (ListRead read : history.all(ListRead.class)) {
      if (read.call().acknowledged()) {
        check(read, lists.getOrDefault(read.list(), Map.of()), violations);
      }
    }
    return violations;
  }

  private static void check(ListRead read, Map<Long, Append> appends, List<Violation> violations) {
    Set<Long> seen = new HashSet<>();
    for (long element : read.elements()) {
      Append append = appends.get(element);
      if (append == null || append.call().begin() > read.call().end()) {
        violations.add(violation(read, element, "was not added", List.of(read)));
      } else if (!seen.add(element)) {
        violations.add(violation(read, element, "is there twice", List.of(append, read)));
      }
    }
    for (Append append : appends.values()) {
      Call call = append.call();
      boolean sure = call.acknowledged() && call.end() < read.call().begin();
      if (sure && !seen.contains(append.element())) {
        violations.add(violation(read, append.element(), "is lost", List.of(append, read)));
      }
    }
  }

  private static Violation violation(
      ListRead read, long element, String what, List<Operation> evidence) {
    String text = "list " + read.list() + ": element " + element + " " + what;
    return new Violation(Violation.Rule.LISTS, text, evidence);
  }
}
