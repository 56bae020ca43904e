package io.sluice.watch;

import io.sluice.ring.Estimates;
import io.sluice.ring.Estimates.Counted;
import io.sluice.ring.NodeId;
import io.sluice.ring.TableName;
import io.sluice.time.Lane;
import io.sluice.time.NanoClock;
import io.sluice.watch.Cluster.EstimatesTry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the nodes' estimates of scanned tables. The nodes are not asked about other tables. The
 * load on the nodes does not depend on the number of tables: all nodes together get {@value
 * #REQUESTS_PER_TICK} requests per tick. A node gets one at a time.
 *
 * <p>{@link #want} and {@link #tried} are safe for any thread; all else happens on one lane, which
 * never waits.
 */
final class EstimatesWatch {

  private static final Logger LOG = LoggerFactory.getLogger(EstimatesWatch.class);

  /** Time between two calls of {@link #tick}. */
  static final long TICK_MILLIS = 50;

  /** Maximum number of requests per tick, to all nodes together. */
  static final int REQUESTS_PER_TICK = 10;

  /**
   * Maximum number of tables that are being read at once. Their counts are held in memory
   * meanwhile.
   */
  private static final int MAX_OPEN = 4;

  /** Maximum number of characters of an error that are kept. */
  private static final int MAX_ERROR_LENGTH = 300;

  /** The source of estimates. */
  interface Source {

    /** Reads the estimates of {@code node} for {@code table}. Completes on any thread. */
    CompletionStage<List<Counted>> read(NodeId node, TableName table);
  }

  /**
   * The nodes and tables of which estimates can be read.
   *
   * @param nodes the nodes that can be asked
   * @param exists whether a table exists
   */
  record Scope(Collection<NodeId> nodes, Predicate<TableName> exists) {}

  /** One reading of one table at all nodes. */
  private static final class Reading {
    private final FollowedTables.Due due;
    private final Queue<NodeId> remaining;
    private final Map<NodeId, List<Counted>> found = new HashMap<>();
    private int unanswered;

    /** The failure of the last node that failed; null as long as none has. */
    private @Nullable String error;

    Reading(FollowedTables.Due due, Collection<NodeId> nodes) {
      this.due = due;
      this.remaining = new ArrayDeque<>(nodes);
    }

    TableName table() {
      return due.table();
    }

    boolean isDone() {
      return remaining.isEmpty() && unanswered == 0;
    }

    List<Counted> counted() {
      List<Counted> all = new ArrayList<>();
      found.entrySet().stream()
          .sorted(Map.Entry.comparingByKey(Comparator.comparing(NodeId::hostId)))
          .forEach(each -> all.addAll(each.getValue()));
      return all;
    }
  }

  private final Source source;
  private final Supplier<Scope> scope;
  private final Lane lane;
  private final NanoClock clock;
  private final Consumer<Estimates> listener;

  private final List<Reading> open = new ArrayList<>();
  private final FollowedTables tables;
  private final ChangedEstimates changes = new ChangedEstimates();
  private final Set<NodeId> busy = new HashSet<>();

  /** The last reading of each followed table. */
  private final Map<TableName, EstimatesTry> tried = new ConcurrentHashMap<>();

  private boolean warned;

  /**
   * Creates a watch that follows no table yet.
   *
   * @param lane the lane that calls {@link #tick}
   * @param listener receives changed estimates
   */
  EstimatesWatch(
      Source source,
      Supplier<Scope> scope,
      Lane lane,
      NanoClock clock,
      Consumer<Estimates> listener) {
    this.source = source;
    this.scope = scope;
    this.lane = lane;
    this.clock = clock;
    this.listener = listener;
    this.tables = new FollowedTables(clock);
  }

  /**
   * Follows a table from now on, unless too many tables wait for that, or it was followed a short
   * time ago.
   */
  void want(TableName table) {
    tables.want(table);
  }

  /**
   * Sends the next requests, and publishes changed estimates. Called every {@value #TICK_MILLIS}
   * ms.
   */
  void tick() {
    tables.takeDropped().forEach(this::publishNothing);
    for (Iterator<Reading> each = open.iterator(); each.hasNext(); ) {
      Reading reading = each.next();
      if (reading.isDone()) {
        each.remove();
        finish(reading);
      }
    }
    if (!open.isEmpty() || tables.isAnyDue()) {
      Scope current = scope.get();
      if (!current.nodes().isEmpty()) {
        begin(current);
      }
      ask();
    }
    if (!changes.isEmpty()) {
      listener.accept(changes.take());
    }
  }

  private void begin(Scope current) {
    while (open.size() < MAX_OPEN) {
      FollowedTables.Due next = tables.next();
      if (next == null) {
        return;
      }
      if (current.exists().test(next.table())) {
        open.add(new Reading(next, current.nodes()));
      } else {
        tables.forget(next.table());
        publishNothing(next.table());
      }
    }
  }

  private void ask() {
    Set<NodeId> asked = new HashSet<>();
    for (Reading reading : open) {
      for (Iterator<NodeId> nodes = reading.remaining.iterator();
          nodes.hasNext() && asked.size() < REQUESTS_PER_TICK; ) {
        NodeId node = nodes.next();
        if (!busy.contains(node) && asked.add(node)) {
          nodes.remove();
          ask(reading, node);
        }
      }
    }
  }

  private void ask(Reading reading, NodeId node) {
    busy.add(node);
    reading.unanswered++;
    source
        .read(node, reading.table())
        .whenComplete((found, failure) -> lane.run(() -> onAnswer(reading, node, found, failure)));
  }

  /** A node with a count of 0 has not counted yet, so its answer is ignored. */
  private void onAnswer(
      Reading reading, NodeId node, @Nullable List<Counted> found, @Nullable Throwable failure) {
    busy.remove(node);
    reading.unanswered--;
    if (found == null) {
      reading.error = error(node, failure);
      warnOnce(node, reading.table(), failure);
    } else if (found.stream().anyMatch(each -> each.partitions() > 0)) {
      reading.found.put(node, List.copyOf(found));
    }
  }

  private static String error(NodeId node, @Nullable Throwable failure) {
    String error = "node " + node + ": " + failure;
    return error.length() <= MAX_ERROR_LENGTH
        ? error
        : error.substring(0, MAX_ERROR_LENGTH) + " ...";
  }

  /** Returns the last reading of each followed table. */
  Map<TableName, EstimatesTry> tried() {
    return Map.copyOf(tried);
  }

  private void warnOnce(NodeId node, TableName table, @Nullable Throwable failure) {
    if (!warned) {
      warned = true;
      LOG.warn(
          "Node {} did not return its estimates of {}; reads of this table are planned from"
              + " earlier answers: {}",
          node,
          table,
          String.valueOf(failure));
    }
  }

  /** An incomplete reading does not replace a complete one. */
  private void finish(Reading reading) {
    TableName table = reading.table();
    if (!tables.contains(table)) {
      publishNothing(table);
      return;
    }
    tried.put(table, new EstimatesTry(clock.nanoTime(), reading.error));
    boolean kept = reading.error != null && changes.isKnown(table);
    tables.readAgain(reading.due, !kept && changes.put(table, reading.counted()));
  }

  private void publishNothing(TableName table) {
    tried.remove(table);
    changes.put(table, List.of());
  }
}
