package io.sluice.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.ring.Estimates;
import io.sluice.ring.Estimates.Counted;
import io.sluice.ring.NodeId;
import io.sluice.ring.TableName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what nodes have counted of the tables that somebody scans. Tables nobody scans are never
 * asked about, however many there are.
 *
 * <p>{@link #want} may be called by any thread; all else happens on one thread, which never waits:
 * nodes are asked side by side, each of them for one table after another.
 */
final class EstimatesWatch {

  private static final Logger LOG = LoggerFactory.getLogger(EstimatesWatch.class);

  /** How many tables are followed; those wanted last. */
  static final int MOST_TABLES = 1_000;

  /** Where counts come from. */
  interface Source {

    /** What {@code node} has counted of {@code table}; completes on any thread. */
    CompletionStage<List<Counted>> read(NodeId node, TableName table);
  }

  /**
   * Whom and what there is to ask about.
   *
   * @param nodes those that can be asked
   * @param members all of them, those that are down too
   * @param exists whether a table does
   */
  record Scope(Collection<NodeId> nodes, Set<NodeId> members, Predicate<TableName> exists) {}

  private final Source source;
  private final Executor thread;
  private final Consumer<Estimates> listener;
  private final Map<TableName, Map<NodeId, List<Counted>>> counted = new HashMap<>();
  private Estimates published = Estimates.NONE;
  private boolean reading;

  private boolean warned;

  @GuardedBy("wanted")
  private final Set<TableName> wanted = new LinkedHashSet<>();

  @GuardedBy("wanted")
  private final List<TableName> unasked = new ArrayList<>();

  /**
   * Knows nothing, and asks nobody by itself.
   *
   * @param source where counts come from
   * @param thread the one thread that all but {@link #want} is called on
   * @param listener told when counts have changed
   */
  EstimatesWatch(Source source, Executor thread, Consumer<Estimates> listener) {
    this.source = source;
    this.thread = thread;
    this.listener = listener;
  }

  /**
   * Follows a table from now on.
   *
   * @return whether {@link #readNew} is to be called soon; said once until then
   */
  boolean want(TableName table) {
    synchronized (wanted) {
      if (!wanted.add(table)) {
        return false;
      }
      if (wanted.size() > MOST_TABLES) {
        wanted.remove(wanted.iterator().next());
      }
      unasked.add(table);
      return unasked.size() == 1;
    }
  }

  /** Asks about the tables that have not been asked about before. */
  void readNew(Scope scope) {
    List<TableName> tables;
    synchronized (wanted) {
      tables = List.copyOf(unasked);
      unasked.clear();
    }
    read(tables, scope);
  }

  /** Asks about all tables; not while nodes are still answering the last time. */
  void readAll(Scope scope) {
    if (!reading) {
      reading = true;
      List<TableName> tables;
      synchronized (wanted) {
        tables = List.copyOf(wanted);
      }
      read(tables, scope).whenComplete((done, failure) -> reading = false);
    }
  }

  private CompletionStage<Void> read(List<TableName> tables, Scope scope) {
    List<TableName> existing = tables.stream().filter(scope.exists()).toList();
    List<TableName> gone = tables.stream().filter(scope.exists().negate()).toList();
    synchronized (wanted) {
      wanted.removeAll(gone);
      counted.keySet().retainAll(wanted);
    }
    counted.values().forEach(byNode -> byNode.keySet().retainAll(scope.members()));
    CompletableFuture<?>[] reads =
        scope.nodes().stream()
            .map(node -> readOneByOne(node, existing.iterator()).toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(reads).thenRunAsync(this::publish, thread);
  }

  private CompletionStage<?> readOneByOne(NodeId node, Iterator<TableName> tables) {
    if (!tables.hasNext()) {
      return CompletableFuture.completedFuture(null);
    }
    TableName table = tables.next();
    return source
        .read(node, table)
        .handleAsync((found, failure) -> take(node, table, found, failure), thread)
        .thenCompose(done -> readOneByOne(node, tables));
  }

  /** A node that did not answer keeps what it said; one that counts nothing has not counted. */
  private @Nullable Void take(
      NodeId node, TableName table, @Nullable List<Counted> found, @Nullable Throwable failure) {
    if (found == null) {
      warnOnce(node, table, failure);
    } else if (found.stream().allMatch(each -> each.partitions() == 0)) {
      counted.getOrDefault(table, new HashMap<>()).remove(node);
    } else {
      counted.computeIfAbsent(table, any -> new HashMap<>()).put(node, List.copyOf(found));
    }
    return null;
  }

  private void warnOnce(NodeId node, TableName table, @Nullable Throwable failure) {
    if (!warned) {
      warned = true;
      LOG.warn(
          "Node {} did not tell its estimates of {}; reads of it are planned by what answers show: {}",
          node,
          table,
          String.valueOf(failure));
    }
  }

  private void publish() {
    Map<TableName, List<Counted>> tables = new HashMap<>();
    counted.forEach(
        (table, byNode) -> {
          List<Counted> all = new ArrayList<>();
          byNode.entrySet().stream()
              .sorted(Map.Entry.comparingByKey((a, b) -> a.hostId().compareTo(b.hostId())))
              .forEach(each -> all.addAll(each.getValue()));
          if (!all.isEmpty()) {
            tables.put(table, all);
          }
        });
    Estimates next = new Estimates(tables);
    if (!next.equals(published)) {
      published = next;
      listener.accept(next);
    }
  }
}
