package io.sluice.watch;

import io.sluice.ring.Estimates;
import io.sluice.ring.Estimates.Counted;
import io.sluice.ring.TableName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The estimates that have changed since they were last published. Not safe for several threads. */
final class ChangedEstimates {

  /** The hash of the estimates of each table that has any. */
  private final Map<TableName, Integer> hashes = new HashMap<>();

  private final Map<TableName, List<Counted>> changes = new HashMap<>();

  /**
   * Sets the estimates of a table.
   *
   * @param counted empty for none
   * @return whether they have changed
   */
  boolean put(TableName table, List<Counted> counted) {
    Integer before =
        counted.isEmpty() ? hashes.remove(table) : hashes.put(table, counted.hashCode());
    boolean changed =
        counted.isEmpty() ? before != null : before == null || before != counted.hashCode();
    if (changed) {
      changes.put(table, counted);
    }
    return changed;
  }

  /** Whether a table has estimates. */
  boolean isKnown(TableName table) {
    return hashes.containsKey(table);
  }

  /** Whether nothing has changed since the last {@link #take}. */
  boolean isEmpty() {
    return changes.isEmpty();
  }

  /** Returns the changes since the last call. */
  Estimates take() {
    Estimates all = new Estimates(changes);
    changes.clear();
    return all;
  }
}
