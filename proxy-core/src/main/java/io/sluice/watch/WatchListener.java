package io.sluice.watch;

import io.sluice.ring.Estimates;
import io.sluice.ring.NodeId;
import io.sluice.wire.SchemaChange;
import org.jspecify.annotations.Nullable;

/** Told what changes. Called on the watcher's or the driver's admin thread: must not block. */
public interface WatchListener {

  /** A new snapshot; the last one is out of date. */
  void changed(ClusterView view);

  /**
   * The schema changed, and the live nodes and the last snapshot know it. Told once for each
   * object, in the order of the node that the control connection leads to.
   */
  void schemaChanged(SchemaChange change);

  /** Nodes count something else than before, or tables that were not asked about before. */
  void estimated(Estimates news);

  /**
   * The agent in a node has reported, about once a second, or is not there any more.
   *
   * @param report null in the latter case
   */
  void agentReported(NodeId node, @Nullable AgentReport report);
}
