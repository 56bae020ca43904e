package io.sluice.watch;

import io.sluice.ring.Estimates;
import io.sluice.wire.SchemaChange;

/** Told what changes. Called on the watcher's or the driver's admin thread: must not block. */
public interface WatchListener {

  /** A new snapshot; the last one is out of date. */
  void changed(ClusterView view);

  /** The schema changed, and the live nodes know it. */
  void schemaChanged(SchemaChange change);

  /** Nodes count otherwise than before, or tables that were not asked about before. */
  void estimated(Estimates estimates);
}
