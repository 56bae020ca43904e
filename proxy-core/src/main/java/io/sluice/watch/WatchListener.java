package io.sluice.watch;

import io.sluice.ring.Estimates;
import io.sluice.ring.NodeId;
import io.sluice.wire.SchemaChange;
import org.jspecify.annotations.Nullable;

/**
 * The receiver of changes. Called on the watcher's thread; only the first {@link #changed} comes
 * from the thread that starts the watcher. Must not block.
 */
public interface WatchListener {

  /**
   * Called before requests can see a new snapshot, to prepare for its nodes. The last snapshot
   * stays in use until {@link #changed}.
   */
  default void coming(ClusterView next) {}

  /** Called with a new snapshot, which replaces the last one. */
  void changed(ClusterView view);

  /**
   * Called when the schema has changed, and the live nodes and the last snapshot have the change.
   * Called once for each object, in the order of the node of the control connection.
   */
  void schemaChanged(SchemaChange change);

  /** Called when the nodes' estimates have changed, or those of further tables were read. */
  void estimated(Estimates news);

  /**
   * Called about once a second when an agent has reported, and once when it has disappeared.
   *
   * @param report null when the agent has disappeared
   */
  void agentReported(NodeId node, @Nullable AgentReport report);
}
