package io.sluice.decide.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The costs of each table, by name. Clients choose the names, so the length of all names is bounded
 * too: the costs of the least recently used tables are evicted and learned again. Safe for any
 * thread. Its lock is held for a look-up, and for a new table while that takes the lock of {@link
 * CommonCosts}.
 */
final class CostsByTable {

  /** Limit on the bytes of names and costs: enough for more than ten thousand tables. */
  static final long MAX_BYTES = 24L << 20;

  /** Approximate size of one table's costs. */
  private static final int COSTS_BYTES = 600;

  @GuardedBy("this")
  private final Map<String, TableCosts> costs = new LinkedHashMap<>(16, 0.75f, true);

  private final CommonCosts common = new CommonCosts();

  @GuardedBy("this")
  private long bytes;

  private static long bytes(String name) {
    return COSTS_BYTES + 2L * name.length();
  }

  synchronized TableCosts of(String name) {
    TableCosts known = costs.get(name);
    return known != null ? known : add(name);
  }

  @GuardedBy("this")
  private TableCosts add(String name) {
    TableCosts table = new TableCosts(common);
    costs.put(name, table);
    bytes += bytes(name);
    Iterator<String> oldest = costs.keySet().iterator();
    while (bytes > MAX_BYTES && oldest.hasNext()) {
      bytes -= bytes(oldest.next());
      oldest.remove();
    }
    return table;
  }

  /** Returns about how many bytes are held. */
  synchronized long bytes() {
    return bytes;
  }
}
