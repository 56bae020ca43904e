package io.sluice.torture.check;

import io.sluice.torture.check.Operation.Page;
import io.sluice.torture.check.Operation.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rule for scans: a scan shows no row twice, and a whole scan shows every row that existed all
 * the time. {@link OrderRule} judges the order of the rows, {@link ValueRule} their values.
 */
final class ScanRule {
  private final Writes writes;

  ScanRule(Writes writes) {
    this.writes = writes;
  }

  List<Violation> check(History history) {
    Map<Long, List<Page>> pages = new HashMap<>();
    for (Page page : history.all(Page.class)) {
      pages.computeIfAbsent(page.scan(), scan -> new ArrayList<>()).add(page);
    }
    List<Violation> violations = new ArrayList<>();
    for (Scan scan : history.scans()) {
      check(scan, pages.getOrDefault(scan.number(), List.of()), violations);
    }
    violations.addAll(OrderRule.check(history.scans(), pages));
    return violations;
  }

  private void check(Scan scan, List<Page> pages, List<Violation> violations) {
    Map<Long, Page> shownBy = new HashMap<>();
    for (Page page : pages) {
      for (Row row : page.rows()) {
        Page other = shownBy.put(row.key(), page);
        if (other != null) {
          violations.add(
              violation(scan, "shows key " + row.key() + " twice", List.of(other, page)));
        }
        if (row.key() < scan.firstKey() || row.key() > scan.lastKey()) {
          violations.add(
              violation(scan, "shows key " + row.key() + " of another table", List.of(page)));
        }
      }
    }
    if (scan.whole()) {
      missing(scan, pages, shownBy, violations);
    }
  }

  private void missing(
      Scan scan, List<Page> pages, Map<Long, Page> shownBy, List<Violation> violations) {
    List<Long> missing = new ArrayList<>();
    for (long key = scan.firstKey(); key <= scan.lastKey(); key++) {
      if (!shownBy.containsKey(key) && existed(key, scan)) {
        missing.add(key);
      }
    }
    if (!missing.isEmpty()) {
      int last = writes.visibleBefore(missing.get(0), scan.begin(), scan.level());
      List<Operation> evidence = new ArrayList<>();
      evidence.add(writes.of(missing.get(0)).get(last));
      evidence.addAll(
          pages.size() < 2 ? pages : List.of(pages.get(0), pages.get(pages.size() - 1)));
      violations.add(
          violation(
              scan,
              "lacks " + missing.size() + " of the keys that were there: " + some(missing),
              evidence));
    }
  }

  private boolean existed(long key, Scan scan) {
    return writes.existsThroughout(key, scan.level(), scan.begin(), scan.end());
  }

  private static String some(List<Long> keys) {
    return keys.size() <= 5 ? keys.toString() : keys.subList(0, 5) + " and more";
  }

  private static Violation violation(Scan scan, String what, List<Operation> evidence) {
    return new Violation(Violation.Rule.SCANS, "scan " + scan.number() + " " + what, evidence);
  }
}
