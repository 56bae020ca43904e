package io.sluice.agent.join;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The tables whose automatic compaction is deferred until the end of the bootstrap. Safe for any
 * thread.
 */
final class HeldCompactions {
  /** The number of SSTables from which on a table is compacted even during the bootstrap. */
  static final int MAX_SSTABLES = 128;

  private final CompactedTables tables;
  private final Set<Object> held =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  HeldCompactions(CompactedTables tables) {
    this.tables = tables;
  }

  /** Whether the table's compaction is deferred. If so, {@link #release} submits it later. */
  boolean holds(Object table) throws ReflectiveOperationException {
    if (tables.keyspaceOf(table).toLowerCase(Locale.ROOT).startsWith("system")
        || tables.sstablesOf(table) >= MAX_SSTABLES) {
      return false;
    }
    held.add(table);
    return true;
  }

  /** Takes a table back. Whether it was still deferred; if not, {@link #release} has taken it. */
  boolean takeBack(Object table) {
    return held.remove(table);
  }

  /**
   * Submits the deferred compactions. Returns the number of tables.
   *
   * @throws ReflectiveOperationException after all tables have been tried; its cause is the first
   *     failure
   */
  int release() throws ReflectiveOperationException {
    List<Object> all;
    synchronized (held) {
      all = new ArrayList<>(held);
      held.clear();
    }
    Throwable failure = null;
    for (Object each : all) {
      try {
        tables.submit(each);
      } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw new ReflectiveOperationException("a compaction was not submitted", failure);
    }
    return all.size();
  }

  /** Returns the number of tables with a deferred compaction. */
  int size() {
    return held.size();
  }
}
