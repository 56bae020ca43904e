package io.sluice.watch;

import io.sluice.wire.SchemaChange;

/** Told what changes. Called on the driver's admin thread: must not block. */
public interface WatchListener {

  /** A new snapshot; the last one is out of date. */
  void changed(ClusterView view);

  /** The schema changed, and the live nodes know it. */
  void schemaChanged(SchemaChange change);
}
