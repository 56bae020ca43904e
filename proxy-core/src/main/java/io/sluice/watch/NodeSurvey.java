package io.sluice.watch;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
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
 * One query to every node, whose answer is a fact about that node. Everything happens on one
 * thread, which never waits. If a node does not answer, its last answer stays valid.
 *
 * @param <T> the fact; compared by value
 */
final class NodeSurvey<T> {

  private final Function<NodeId, CompletionStage<AsyncResultSet>> source;
  private final Function<Iterable<Row>, T> reading;
  private final Executor thread;
  private final Consumer<Map<NodeId, T>> listener;
  private Map<NodeId, T> known = Map.of();

  /**
   * Creates a survey. It queries nodes only in {@link #read}.
   *
   * @param source queries a node; completes on any thread
   * @param reading extracts the fact from the rows of an answer; called on any thread
   * @param thread the single thread that calls {@link #read}
   * @param listener receives all facts when one has changed
   */
  NodeSurvey(
      Function<NodeId, CompletionStage<AsyncResultSet>> source,
      Function<Iterable<Row>, T> reading,
      Executor thread,
      Consumer<Map<NodeId, T>> listener) {
    this.source = source;
    this.reading = reading;
    this.thread = thread;
    this.listener = listener;
  }

  /**
   * Queries these nodes.
   *
   * @param members all nodes of the cluster, up or down; facts about others are dropped
   */
  void read(Collection<NodeId> nodes, Set<NodeId> members) {
    Map<NodeId, T> found = new ConcurrentHashMap<>();
    CompletableFuture<?>[] reads =
        nodes.stream()
            .map(node -> source.apply(node).handle((rows, failure) -> onAnswer(node, rows, found)))
            .map(CompletionStage::toCompletableFuture)
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(reads).thenRunAsync(() -> apply(found, members), thread);
  }

  private @Nullable Void onAnswer(
      NodeId node, @Nullable AsyncResultSet rows, Map<NodeId, T> found) {
    if (rows != null) {
      found.put(node, reading.apply(rows.currentPage()));
    }
    return null;
  }

  private void apply(Map<NodeId, T> found, Set<NodeId> members) {
    Map<NodeId, T> next = new HashMap<>(known);
    next.keySet().retainAll(members);
    next.putAll(found);
    if (!next.equals(known)) {
      listener.accept(Map.copyOf(next));
      known = next;
    }
  }
}
