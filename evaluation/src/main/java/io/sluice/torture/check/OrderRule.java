package io.sluice.torture.check;

import io.sluice.torture.check.Operation.Page;
import io.sluice.torture.check.Operation.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rule for the order of scans: all scans of a table show their common keys in one order, which
 * is that of the ring. The checker knows no tokens, so it takes the order from the scan with the
 * most keys.
 */
final class OrderRule {
  private OrderRule() {}

  /** The keys of a scan in the order in which it first shows them. */
  private record Order(Scan scan, List<Page> pages, List<Long> keys) {

    static Order of(Scan scan, List<Page> pages) {
      Set<Long> seen = new HashSet<>();
      List<Long> keys =
          pages.stream()
              .flatMap(page -> page.rows().stream())
              .map(Row::key)
              .filter(seen::add)
              .toList();
      return new Order(scan, pages, keys);
    }

    Map<Long, Integer> positions() {
      Map<Long, Integer> positions = new HashMap<>();
      keys.forEach(key -> positions.put(key, positions.size()));
      return positions;
    }
  }

  /**
   * Checks the scans.
   *
   * @param pages the pages of each scan, in the order in which they were requested
   */
  static List<Violation> check(List<Scan> scans, Map<Long, List<Page>> pages) {
    Map<Long, List<Order>> tables = new HashMap<>();
    for (Scan scan : scans) {
      Order order = Order.of(scan, pages.getOrDefault(scan.number(), List.of()));
      tables.computeIfAbsent(scan.firstKey(), table -> new ArrayList<>()).add(order);
    }
    List<Violation> violations = new ArrayList<>();
    tables.values().forEach(orders -> check(orders, violations));
    return violations;
  }

  private static void check(List<Order> orders, List<Violation> violations) {
    Order longest = orders.get(0);
    for (Order each : orders) {
      longest = each.keys().size() > longest.keys().size() ? each : longest;
    }
    Map<Long, Integer> positions = longest.positions();
    for (Order each : orders) {
      long before = Operation.ABSENT;
      int last = -1;
      for (long key : each.keys()) {
        int position = positions.getOrDefault(key, last);
        if (position < last) {
          violations.add(violation(each, before, key, longest.scan()));
          break;
        }
        before = position > last ? key : before;
        last = position;
      }
    }
  }

  private static Violation violation(Order order, long first, long second, Scan other) {
    return new Violation(
        Violation.Rule.SCANS,
        "scan %d shows key %d before key %d, scan %d after it"
            .formatted(order.scan().number(), first, second, other.number()),
        List.copyOf(
            order.pages().stream()
                .filter(page -> shows(page, first) || shows(page, second))
                .toList()));
  }

  private static boolean shows(Page page, long key) {
    return page.rows().stream().anyMatch(row -> row.key() == key);
  }
}
