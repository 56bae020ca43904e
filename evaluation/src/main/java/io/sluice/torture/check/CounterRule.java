package io.sluice.torture.check;

import io.sluice.torture.check.Operation.CounterRead;
import io.sluice.torture.check.Operation.Increment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The rule for counters: a read has at least all increments acknowledged before it began, and at
 * most all increments requested before it ended, without those that were refused.
 */
final class CounterRule {
  private CounterRule() {}

  static List<Violation> check(History history) {
    Map<Long, List<Increment>> increments =
        history.all(Increment.class).stream().collect(Collectors.groupingBy(Increment::counter));
    List<Violation> violations = new ArrayList<>();
    for (CounterRead read : history.all(CounterRead.class)) {
      if (read.call().acknowledged()) {
        check(read, increments.getOrDefault(read.counter(), List.of()), violations);
      }
    }
    return violations;
  }

  private static void check(
      CounterRead read, List<Increment> increments, List<Violation> violations) {
    long least = 0;
    long most = 0;
    for (Increment each : increments) {
      if (each.call().acknowledged() && each.call().end() < read.call().begin()) {
        least += each.by();
      }
      if (each.call().begin() <= read.call().end() && !each.call().refused()) {
        most += each.by();
      }
    }
    if (read.seen() < least || read.seen() > most) {
      String bounds = read.seen() + ", which is not between " + least + " and " + most;
      violations.add(
          new Violation(
              Violation.Rule.COUNTERS,
              "counter " + read.counter() + " is read as " + bounds,
              List.of(read)));
    }
  }
}
