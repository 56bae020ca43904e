package io.sluice.watch;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.sluice.ring.NodeId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks nodes for the sizes of their thread pools. Everything happens on one thread, which never
 * waits; a node that does not answer keeps what it said.
 */
final class PoolsWatch {

  /** What a node is asked; the table is its own. */
  static final String QUESTION = "SELECT name, active_tasks_limit FROM system_views.thread_pools";

  private static final String READS = "ReadStage";
  private static final String REQUESTS = "Native-Transport-Requests";

  private final Function<Node, CompletionStage<AsyncResultSet>> source;
  private final Executor thread;
  private final Consumer<Map<NodeId, NodePools>> listener;
  private Map<NodeId, NodePools> known = Map.of();

  /**
   * Knows nothing, and asks nobody by itself.
   *
   * @param source asks a node {@link #QUESTION}; completes on any thread
   * @param thread the one thread that {@link #read} is called on
   * @param listener told when something has changed
   */
  PoolsWatch(
      Function<Node, CompletionStage<AsyncResultSet>> source,
      Executor thread,
      Consumer<Map<NodeId, NodePools>> listener) {
    this.source = source;
    this.thread = thread;
    this.listener = listener;
  }

  /**
   * Asks these nodes.
   *
   * @param members all there are, those that are down too; others are forgotten
   */
  void read(Collection<Node> nodes, Set<NodeId> members) {
    Map<NodeId, NodePools> found = new ConcurrentHashMap<>();
    CompletableFuture<?>[] reads =
        nodes.stream()
            .map(
                node ->
                    source
                        .apply(node)
                        .handle((rows, failure) -> take(ClusterWatcher.id(node), rows, found)))
            .map(CompletionStage::toCompletableFuture)
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(reads).thenRunAsync(() -> heard(found, members), thread);
  }

  private static @Nullable Void take(
      NodeId node, @Nullable AsyncResultSet rows, Map<NodeId, NodePools> found) {
    if (rows != null) {
      Map<String, Integer> limits = new HashMap<>();
      for (Row row : rows.currentPage()) {
        limits.put(String.valueOf(row.getString("name")), row.getInt("active_tasks_limit"));
      }
      found.put(node, pools(limits));
    }
    return null;
  }

  /** Pools that Cassandra has not begun to use are not among them. */
  static NodePools pools(Map<String, Integer> limits) {
    return new NodePools(
        Math.max(1, limits.getOrDefault(READS, NodePools.DEFAULT.concurrentReads())),
        Math.max(1, limits.getOrDefault(REQUESTS, NodePools.DEFAULT.requestThreads())));
  }

  private void heard(Map<NodeId, NodePools> found, Set<NodeId> members) {
    Map<NodeId, NodePools> next = new HashMap<>(known);
    next.keySet().retainAll(members);
    next.putAll(found);
    if (!next.equals(known)) {
      known = Map.copyOf(next);
      listener.accept(known);
    }
  }
}
