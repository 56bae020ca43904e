package io.sluice.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
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
   * Maximum number of tables whose estimates are read periodically: those that were wanted last.
   */
  static final int MAX_TABLES = 1_000;

  /**
   * Maximum number of tables that wait for their first reading. Further tables are ignored
   * meanwhile.
   */
  static final int MAX_WAITING = 200;

  /**
   * Maximum number of remembered tables. They are no longer followed, and are not read again at
   * once when they are wanted again.
   */
  private static final int MAX_REMEMBERED = 20_000;

  /**
   * Maximum number of tables that are being read at once. Their counts are held in memory
   * meanwhile.
   */
  private static final int MAX_OPEN = 4;

  /** Maximum number of characters of an error that are kept. */
  private static final int MAX_ERROR_LENGTH = 300;

  private static final long SHORTEST_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Cassandra updates its estimates every five minutes. */
  static final long LONGEST_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(5);

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

  /** A table that is read again at a certain time. */
  private record Due(TableName table, long at, long interval) {}

  /** One reading of one table at all nodes. */
  private static final class Reading {
    private final TableName table;
    private final long interval;
    private final Queue<NodeId> remaining;
    private final Map<NodeId, List<Counted>> found = new HashMap<>();
    private int unanswered;
    private boolean incomplete;
    private @Nullable String error;

    Reading(TableName table, long interval, Collection<NodeId> nodes) {
      this.table = table;
      this.interval = interval;
      this.remaining = new ArrayDeque<>(nodes);
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
  private final PriorityQueue<Due> again = new PriorityQueue<>(Comparator.comparingLong(Due::at));
  private final Set<NodeId> busy = new HashSet<>();

  /** The hash of the estimates that were last published, by table. */
  private final Map<TableName, Integer> published = new HashMap<>();

  /** The last reading of each followed table. */
  private final Map<TableName, EstimatesTry> tried = new ConcurrentHashMap<>();

  private boolean warned;

  @GuardedBy("this")
  private final Map<TableName, Boolean> followed = new LinkedHashMap<>(16, 0.75f, true);

  @GuardedBy("this")
  private final Map<TableName, Long> remembered = new LinkedHashMap<>();

  @GuardedBy("this")
  private final Queue<TableName> fresh = new ArrayDeque<>();

  @GuardedBy("this")
  private final List<TableName> dropped = new ArrayList<>();

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
  }

  /**
   * Follows a table from now on, unless too many tables wait for that, or it was followed a short
   * time ago.
   */
  synchronized void want(TableName table) {
    if (followed.get(table) != null || fresh.size() >= MAX_WAITING) {
      return;
    }
    Long until = remembered.remove(table);
    if (until != null && clock.nanoTime() - until < 0) {
      remembered.put(table, until);
      return;
    }
    followed.put(table, true);
    fresh.add(table);
    if (followed.size() > MAX_TABLES) {
      TableName oldest = followed.keySet().iterator().next();
      followed.remove(oldest);
      dropped.add(oldest);
      remember(oldest);
    }
  }

  @GuardedBy("this")
  private void remember(TableName table) {
    remembered.put(table, clock.nanoTime() + LONGEST_INTERVAL_NANOS);
    if (remembered.size() > MAX_REMEMBERED) {
      remembered.remove(remembered.keySet().iterator().next());
    }
  }

  /**
   * Sends the next requests, and publishes changed estimates. Called every {@value #TICK_MILLIS}
   * ms.
   */
  void tick() {
    Map<TableName, List<Counted>> changes = new HashMap<>();
    drainDropped().forEach(table -> publishNothing(table, changes));
    for (Iterator<Reading> each = open.iterator(); each.hasNext(); ) {
      Reading reading = each.next();
      if (reading.isDone()) {
        each.remove();
        finish(reading, changes);
      }
    }
    if (hasWork()) {
      Scope current = scope.get();
      if (!current.nodes().isEmpty()) {
        begin(current, changes);
      }
      ask();
    }
    if (!changes.isEmpty()) {
      listener.accept(new Estimates(changes));
    }
  }

  private synchronized List<TableName> drainDropped() {
    List<TableName> all = List.copyOf(dropped);
    dropped.clear();
    return all;
  }

  private synchronized boolean hasWork() {
    return !open.isEmpty() || !fresh.isEmpty() || isDue();
  }

  private boolean isDue() {
    Due first = again.peek();
    return first != null && first.at() - clock.nanoTime() <= 0;
  }

  private void begin(Scope current, Map<TableName, List<Counted>> changes) {
    for (Due next = next(); next != null; next = next()) {
      if (current.exists().test(next.table())) {
        open.add(new Reading(next.table(), next.interval(), current.nodes()));
      } else {
        forget(next.table());
        publishNothing(next.table(), changes);
      }
    }
  }

  /** New tables come before tables that have been read already. */
  private synchronized @Nullable Due next() {
    while (open.size() < MAX_OPEN && !(fresh.isEmpty() && !isDue())) {
      TableName first = fresh.poll();
      Due next = first == null ? again.remove() : new Due(first, 0, 0);
      if (followed.containsKey(next.table())) {
        return next;
      }
    }
    return null;
  }

  private synchronized boolean isFollowed(TableName table) {
    return followed.containsKey(table);
  }

  private synchronized void forget(TableName table) {
    followed.remove(table);
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
        .read(node, reading.table)
        .whenComplete((found, failure) -> lane.run(() -> onAnswer(reading, node, found, failure)));
  }

  /** A node with a count of 0 has not counted yet, so its answer is ignored. */
  private void onAnswer(
      Reading reading, NodeId node, @Nullable List<Counted> found, @Nullable Throwable failure) {
    busy.remove(node);
    reading.unanswered--;
    if (found == null) {
      reading.incomplete = true;
      reading.error = error(node, failure);
      warnOnce(node, reading.table, failure);
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

  /**
   * An incomplete reading does not replace a complete one. Tables with unchanged estimates are read
   * less often.
   */
  private void finish(Reading reading, Map<TableName, List<Counted>> changes) {
    if (!isFollowed(reading.table)) {
      publishNothing(reading.table, changes);
      return;
    }
    tried.put(reading.table, new EstimatesTry(clock.nanoTime(), reading.error));
    boolean kept = reading.incomplete && published.containsKey(reading.table);
    boolean changed = !kept && publish(reading.table, reading.counted(), changes);
    long interval =
        changed
            ? SHORTEST_INTERVAL_NANOS
            : Math.max(
                SHORTEST_INTERVAL_NANOS, Math.min(LONGEST_INTERVAL_NANOS, reading.interval * 2));
    again.add(new Due(reading.table, clock.nanoTime() + interval, interval));
  }

  private void publishNothing(TableName table, Map<TableName, List<Counted>> changes) {
    tried.remove(table);
    publish(table, List.of(), changes);
  }

  private boolean publish(
      TableName table, List<Counted> counted, Map<TableName, List<Counted>> changes) {
    Integer before =
        counted.isEmpty() ? published.remove(table) : published.put(table, counted.hashCode());
    boolean changed =
        counted.isEmpty() ? before != null : before == null || before != counted.hashCode();
    if (changed) {
      changes.put(table, counted);
    }
    return changed;
  }
}
