package io.sluice.agent.join;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The tables whose automatic compaction waits for the end of the bootstrap. Safe for any thread.
 */
final class HeldCompactions {
  /** A table with so many SSTables is compacted while it is being received. */
  static final int MOST_SSTABLES = 128;

  private final CompactedTables tables;
  private final Set<Object> held =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  HeldCompactions(CompactedTables tables) {
    this.tables = tables;
  }

  /** Whether the table's compaction waits; if so it is submitted again by {@link #release}. */
  boolean holds(Object table) throws ReflectiveOperationException {
    if (tables.keyspaceOf(table).toLowerCase(Locale.ROOT).startsWith("system")
        || tables.sstablesOf(table) >= MOST_SSTABLES) {
      return false;
    }
    held.add(table);
    return true;
  }

  /** Submits what waits; returns for how many tables. */
  int release() throws ReflectiveOperationException {
    List<Object> all;
    synchronized (held) {
      all = new ArrayList<>(held);
      held.clear();
    }
    for (Object each : all) {
      tables.submit(each);
    }
    return all.size();
  }

  /** How many tables wait. */
  int size() {
    return held.size();
  }
}
