package io.sluice.watch;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import io.sluice.time.Timer;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Waits until nodes have built the indexes that a schema change created. A node builds an index
 * after its schema has changed; reads of the index fail there until then. Drivers that wait for
 * schema agreement by gossip hardly see this. Everything happens on one lane.
 */
final class IndexBuilds {

  /** Longest wait. The build of an index with many rows takes longer, and is not waited for. */
  static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final SimpleStatement BUILT =
      SimpleStatement.newInstance("SELECT table_name, index_name FROM system.\"IndexInfo\"");

  private final Function<NodeId, CompletionStage<Set<Index>>> source;
  private final Lane lane;
  private Set<Index> known;

  /** An index. The column {@code table_name} of the nodes' table has the keyspace. */
  record Index(String keyspace, String name) {}

  /**
   * Creates an object that queries nodes only after an index was created.
   *
   * @param source queries a node for the indexes that it has built; completes on any thread
   * @param lane the lane of all calls
   * @param before the indexes that exist
   */
  IndexBuilds(Function<NodeId, CompletionStage<Set<Index>>> source, Lane lane, Set<Index> before) {
    this.source = source;
    this.lane = lane;
    this.known = before;
  }

  /** Creates an object that sends its queries with {@code ask}. */
  static IndexBuilds of(
      BiFunction<NodeId, SimpleStatement, CompletionStage<AsyncResultSet>> ask,
      Lane lane,
      Map<CqlIdentifier, KeyspaceMetadata> keyspaces) {
    return new IndexBuilds(
        node -> ask.apply(node, BUILT).thenApply(IndexBuilds::rows), lane, indexes(keyspaces));
  }

  /** Returns all indexes of these keyspaces. */
  static Set<Index> indexes(Map<CqlIdentifier, KeyspaceMetadata> keyspaces) {
    Set<Index> indexes = new HashSet<>();
    keyspaces.forEach(
        (keyspace, metadata) ->
            metadata
                .getTables()
                .values()
                .forEach(
                    table ->
                        table
                            .getIndexes()
                            .keySet()
                            .forEach(
                                name ->
                                    indexes.add(
                                        new Index(keyspace.asInternal(), name.asInternal())))));
    return indexes;
  }

  /**
   * Waits for the indexes of {@code now} that did not exist at the last call.
   *
   * @return completes on the lane when all nodes have built them or could not be asked, or after
   *     the limit
   */
  CompletionStage<Void> built(Set<Index> now, Collection<NodeId> nodes) {
    Set<Index> created = new HashSet<>(now);
    created.removeAll(known);
    known = now;
    Wait wait = new Wait(created, nodes);
    if (created.isEmpty() || nodes.isEmpty()) {
      wait.done.complete(null);
      return wait.done;
    }
    Timer.Timeout limit = lane.schedule(LIMIT_NANOS, () -> wait.done.complete(null));
    wait.done.thenRun(limit::cancel);
    Set.copyOf(nodes).forEach(wait::ask);
    return wait.done;
  }

  /** The wait for the indexes of one schema change. */
  private final class Wait {
    private final Set<Index> created;
    private final Set<NodeId> building;
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    Wait(Set<Index> created, Collection<NodeId> nodes) {
      this.created = created;
      this.building = new HashSet<>(nodes);
    }

    void ask(NodeId node) {
      if (!done.isDone()) {
        source.apply(node).whenComplete((built, failure) -> lane.run(() -> onBuilt(node, built)));
      }
    }

    private void onBuilt(NodeId node, @Nullable Set<Index> built) {
      if (built != null && !built.containsAll(created) && !done.isDone()) {
        lane.schedule(PAUSE_NANOS, () -> ask(node));
        return;
      }
      building.remove(node);
      if (building.isEmpty()) {
        done.complete(null);
      }
    }
  }

  private static Set<Index> rows(AsyncResultSet rows) {
    Set<Index> indexes = new HashSet<>();
    rows.currentPage()
        .forEach(
            row ->
                indexes.add(new Index(row.getString("table_name"), row.getString("index_name"))));
    return indexes;
  }
}
