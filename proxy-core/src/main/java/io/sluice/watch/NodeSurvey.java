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
 * One question to every node, whose answer is a fact of that node. Everything happens on one
 * thread, which never waits; for a node that does not answer, its last answer holds.
 *
 * @param <T> the fact; compared by value
 */
final class NodeSurvey<T> {

  private final Function<Node, CompletionStage<AsyncResultSet>> source;
  private final Function<Iterable<Row>, T> reading;
  private final Executor thread;
  private final Consumer<Map<NodeId, T>> listener;
  private Map<NodeId, T> known = Map.of();

  /**
   * A survey with nothing known, which asks when it is told to.
   *
   * @param source asks a node; completes on any thread
   * @param reading the fact in the rows of an answer; called on any thread
   * @param thread the one thread that {@link #read} is called on
   * @param listener told when something has changed
   */
  NodeSurvey(
      Function<Node, CompletionStage<AsyncResultSet>> source,
      Function<Iterable<Row>, T> reading,
      Executor thread,
      Consumer<Map<NodeId, T>> listener) {
    this.source = source;
    this.reading = reading;
    this.thread = thread;
    this.listener = listener;
  }

  /**
   * Asks these nodes.
   *
   * @param members all there are, those that are down too; others are forgotten
   */
  void read(Collection<Node> nodes, Set<NodeId> members) {
    Map<NodeId, T> found = new ConcurrentHashMap<>();
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

  private @Nullable Void take(NodeId node, @Nullable AsyncResultSet rows, Map<NodeId, T> found) {
    if (rows != null) {
      found.put(node, reading.apply(rows.currentPage()));
    }
    return null;
  }

  private void heard(Map<NodeId, T> found, Set<NodeId> members) {
    Map<NodeId, T> next = new HashMap<>(known);
    next.keySet().retainAll(members);
    next.putAll(found);
    if (!next.equals(known)) {
      known = Map.copyOf(next);
      listener.accept(known);
    }
  }
}
