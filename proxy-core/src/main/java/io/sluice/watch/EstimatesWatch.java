package io.sluice.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.ring.Estimates;
import io.sluice.ring.Estimates.Counted;
import io.sluice.ring.NodeId;
import io.sluice.ring.TableName;
import io.sluice.time.Lane;
import io.sluice.time.NanoClock;
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
 * Reads what nodes have counted of the tables that are scanned. Other tables are never asked about,
 * however many there are. However many are scanned, all nodes together get {@value #A_TICK}
 * questions a tick, and a node one, which it has to answer before it gets the next.
 *
 * <p>{@link #want} and {@link #tried} may be called by any thread; all else happens on one lane,
 * which never waits.
 */
final class EstimatesWatch {

  private static final Logger LOG = LoggerFactory.getLogger(EstimatesWatch.class);

  /** Time between two calls of {@link #tick}. */
  static final long TICK_MILLIS = 50;

  /** Questions a tick, of all nodes. */
  static final int A_TICK = 10;

  /** Tables that are asked about again and again; those wanted last. */
  static final int MOST_TABLES = 1_000;

  /** Tables that wait to be asked about for the first time; others are not followed meanwhile. */
  static final int MOST_WAITING = 200;

  /** Tables that were followed and are not asked about anew at once when they are wanted again. */
  private static final int MOST_REMEMBERED = 20_000;

  /** Tables whose counts are held at once while nodes are asked. */
  private static final int MOST_OPEN = 4;

  /** Characters of an error that are kept. */
  private static final int MOST_ERROR = 300;

  private static final long SOONEST_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Nodes count every five minutes. */
  static final long LATEST_NANOS = TimeUnit.MINUTES.toNanos(5);

  /** The source of counts. */
  interface Source {

    /** What {@code node} has counted of {@code table}; completes on any thread. */
    CompletionStage<List<Counted>> read(NodeId node, TableName table);
  }

  /**
   * The nodes and tables that can be asked about.
   *
   * @param nodes those that can be asked
   * @param exists whether a table does
   */
  record Scope(Collection<NodeId> nodes, Predicate<TableName> exists) {}

  /** A table that is asked about again. */
  private record Due(TableName table, long at, long interval) {}

  /** One reading of one table at all nodes. */
  private static final class Reading {
    private final TableName table;
    private final long interval;
    private final Queue<NodeId> unasked;
    private final Map<NodeId, List<Counted>> found = new HashMap<>();
    private int unanswered;
    private boolean incomplete;
    private @Nullable String error;

    Reading(TableName table, long interval, Collection<NodeId> nodes) {
      this.table = table;
      this.interval = interval;
      this.unasked = new ArrayDeque<>(nodes);
    }

    boolean isDone() {
      return unasked.isEmpty() && unanswered == 0;
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

  /** By their hash, what was published last. */
  private final Map<TableName, Integer> published = new HashMap<>();

  /** Of the tables that are followed, when they were asked about last. */
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
   * Knows nothing, and asks no node by itself.
   *
   * @param lane the one that {@link #tick} is called on
   * @param listener told when counts have changed
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

  /** Follows a table from now on, unless too many wait for that, or it was followed just now. */
  synchronized void want(TableName table) {
    if (followed.get(table) != null || fresh.size() >= MOST_WAITING) {
      return;
    }
    Long until = remembered.remove(table);
    if (until != null && clock.nanoTime() - until < 0) {
      remembered.put(table, until);
      return;
    }
    followed.put(table, true);
    fresh.add(table);
    if (followed.size() > MOST_TABLES) {
      TableName oldest = followed.keySet().iterator().next();
      followed.remove(oldest);
      dropped.add(oldest);
      remember(oldest);
    }
  }

  @GuardedBy("this")
  private void remember(TableName table) {
    remembered.put(table, clock.nanoTime() + LATEST_NANOS);
    if (remembered.size() > MOST_REMEMBERED) {
      remembered.remove(remembered.keySet().iterator().next());
    }
  }

  /** Asks what is next, and publishes what is new. Called every {@value #TICK_MILLIS} ms. */
  void tick() {
    Map<TableName, List<Counted>> news = new HashMap<>();
    takeDropped().forEach(table -> publishNothing(table, news));
    for (Iterator<Reading> each = open.iterator(); each.hasNext(); ) {
      Reading reading = each.next();
      if (reading.isDone()) {
        each.remove();
        finish(reading, news);
      }
    }
    if (hasWork()) {
      Scope now = scope.get();
      if (!now.nodes().isEmpty()) {
        begin(now, news);
      }
      ask();
    }
    if (!news.isEmpty()) {
      listener.accept(new Estimates(news));
    }
  }

  private synchronized List<TableName> takeDropped() {
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

  private void begin(Scope now, Map<TableName, List<Counted>> news) {
    for (Due next = next(); next != null; next = next()) {
      if (now.exists().test(next.table())) {
        open.add(new Reading(next.table(), next.interval(), now.nodes()));
      } else {
        forget(next.table());
        publishNothing(next.table(), news);
      }
    }
  }

  /** New tables come before those that were read before. */
  private synchronized @Nullable Due next() {
    while (open.size() < MOST_OPEN && !(fresh.isEmpty() && !isDue())) {
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
      for (Iterator<NodeId> nodes = reading.unasked.iterator();
          nodes.hasNext() && asked.size() < A_TICK; ) {
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
        .whenComplete((found, failure) -> lane.run(() -> take(reading, node, found, failure)));
  }

  /** A node that counts nothing has not counted. */
  private void take(
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
    return error.length() <= MOST_ERROR ? error : error.substring(0, MOST_ERROR) + " ...";
  }

  /** When the tables that are followed were asked about last. */
  Map<TableName, EstimatesTry> tried() {
    return Map.copyOf(tried);
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

  /** What is incomplete replaces nothing. Tables whose counts stay the same are read less often. */
  private void finish(Reading reading, Map<TableName, List<Counted>> news) {
    if (!isFollowed(reading.table)) {
      publishNothing(reading.table, news);
      return;
    }
    tried.put(reading.table, new EstimatesTry(clock.nanoTime(), reading.error));
    boolean kept = reading.incomplete && published.containsKey(reading.table);
    boolean changed = !kept && publish(reading.table, reading.counted(), news);
    long interval =
        changed
            ? SOONEST_NANOS
            : Math.max(SOONEST_NANOS, Math.min(LATEST_NANOS, reading.interval * 2));
    again.add(new Due(reading.table, clock.nanoTime() + interval, interval));
  }

  private void publishNothing(TableName table, Map<TableName, List<Counted>> news) {
    tried.remove(table);
    publish(table, List.of(), news);
  }

  private boolean publish(
      TableName table, List<Counted> counted, Map<TableName, List<Counted>> news) {
    Integer before =
        counted.isEmpty() ? published.remove(table) : published.put(table, counted.hashCode());
    boolean changed =
        counted.isEmpty() ? before != null : before == null || before != counted.hashCode();
    if (changed) {
      news.put(table, counted);
    }
    return changed;
  }
}
