package io.sluice.journal;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.event.Level;

/**
 * Turns the changes at the nodes of the local data centre, and of those to which rules send
 * requests, into lines of the log. Covers nodes that join, leave, go silent and return, refused
 * reads, and limits that move. The number of lines is bounded: a state is logged when it changes, a
 * count at most once a minute for each node and kind. Not safe for several threads.
 */
final class ClusterJournal {

  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /**
   * A change of the limit of range reads is logged when it reaches this factor and {@link
   * #LIMIT_READS}.
   */
  private static final int LIMIT_FACTOR = 2;

  private static final int LIMIT_READS = 4;

  private final Map<NodeId, NodeRecord> records = new HashMap<>();
  private final List<Line> lines = new ArrayList<>();
  private boolean begun;
  private boolean anyUp = true;

  /**
   * Returns lines for the changes since the last call. The first call reports how many nodes there
   * are, and which of them are down.
   *
   * @param ring the nodes as the cluster sees them
   * @param states the nodes as the scheduler sees them; nodes that it does not know are missing, as
   *     are those of data centres that no rule names
   * @param now the time in nanoseconds, of any origin
   */
  List<Line> look(Ring ring, Collection<NodeState> states, long now) {
    lines.clear();
    List<Node> local = ring.local();
    Map<NodeId, Node> followed = followed(ring, states);
    removeGone(followed);
    followed.values().forEach(node -> follow(node, ring.localDatacenter(), now));
    states.forEach(state -> follow(state, now));
    followAll(ring, local);
    if (!begun) {
      long up = local.stream().filter(Node::up).count();
      String nodes = up + " of " + local.size() + " nodes are up";
      log(Level.INFO, "Data centre " + ring.localDatacenter() + ": " + nodes);
      begun = true;
    }
    return List.copyOf(lines);
  }

  private static Map<NodeId, Node> followed(Ring ring, Collection<NodeState> states) {
    Stream<Node> scheduled = states.stream().map(state -> ring.node(state.node()));
    return Stream.concat(ring.local().stream(), scheduled.filter(Objects::nonNull))
        .collect(Collectors.toMap(Node::id, node -> node, (one, same) -> one, LinkedHashMap::new));
  }

  private void removeGone(Map<NodeId, Node> followed) {
    records
        .values()
        .removeIf(
            record -> {
              boolean gone = !followed.containsKey(record.node.id());
              if (gone) {
                log(Level.INFO, record.name() + " has left the cluster");
              }
              return gone;
            });
  }

  private void follow(Node node, String localDatacenter, long now) {
    NodeRecord record = records.get(node.id());
    if (record == null) {
      record = new NodeRecord(node, now);
      records.put(node.id(), record);
      if (begun && node.datacenter().equals(localDatacenter)) {
        log(Level.INFO, record.name() + " has joined the cluster, in rack " + node.rack());
      }
      if (!node.up()) {
        log(Level.WARN, record.name() + " is down: it gets no reads");
      }
    } else if (node.up() != record.node.up()) {
      if (node.up()) {
        log(Level.INFO, record.name() + " is up again after " + seconds(now - record.since));
        record.silent = false;
      } else {
        log(Level.WARN, record.name() + " is down: it gets no reads");
      }
      record.since = now;
    }
    record.node = node;
  }

  private void follow(NodeState state, long now) {
    NodeRecord record = records.get(state.node());
    if (record == null) {
      return;
    }
    if (state.isSuspect() != record.suspect) {
      record.suspect = state.isSuspect();
      if (state.isSuspect()) {
        record.suspectSince = now;
        record.silent = record.node.up();
        if (record.silent) {
          log(Level.WARN, record.name() + " is silent: reads go to other replicas where they can");
        }
      } else if (record.silent || !record.node.up()) {
        String heard = " is heard again after " + seconds(now - record.suspectSince);
        String reported = record.node.up() ? "" : ": it gets reads, although it is reported down";
        log(Level.INFO, record.name() + heard + reported);
        record.silent = false;
      }
    }
    for (PriorityClass each : PriorityClass.values()) {
      ClassState of = each == PriorityClass.POINT ? state.point() : state.range();
      String reads = each.name().toLowerCase(Locale.ROOT) + " reads";
      count(record, reads + " refused, its queue is too long (OVERLOADED)", of.shed(), now);
      count(record, reads + " refused, their deadline cannot be met", of.expired(), now);
      count(record, reads + " ended by the node's overload or by a timeout", of.overloaded(), now);
    }
    limit(record, state.rangeSlots(), now);
  }

  private void count(NodeRecord record, String what, long total, long now) {
    Count count = record.counts.computeIfAbsent(what, kind -> new Count(total, now));
    if (total < count.logged) {
      count.logged = total;
    }
    if (total > count.logged && (count.first || now - count.at >= MINUTE_NANOS)) {
      String since = count.first ? "" : " in " + seconds(now - count.at);
      log(Level.WARN, record.name() + ": " + what + ": " + (total - count.logged) + since);
      count.first = false;
      count.logged = total;
      count.at = now;
    }
  }

  private void limit(NodeRecord record, int rangeSlots, long now) {
    int less = Math.min(rangeSlots, record.rangeSlots);
    int more = Math.max(rangeSlots, record.rangeSlots);
    boolean moved = more >= less * LIMIT_FACTOR && more - less >= LIMIT_READS;
    if (record.rangeSlots == 0) {
      record.rangeSlots = rangeSlots;
    } else if (moved && now - record.limitLogged >= MINUTE_NANOS) {
      String from = rangeSlots + ", was " + record.rangeSlots;
      log(Level.INFO, record.name() + ": limit of range reads at once: " + from);
      record.rangeSlots = rangeSlots;
      record.limitLogged = now;
    }
  }

  private void followAll(Ring ring, List<Node> local) {
    boolean up = local.stream().anyMatch(Node::up);
    if (up != anyUp) {
      anyUp = up;
      log(
          up ? Level.INFO : Level.ERROR,
          "Data centre "
              + ring.localDatacenter()
              + (up ? ": requests are served again" : ": no node is up, requests are refused"));
    }
  }

  private void log(Level level, String text) {
    lines.add(new Line(level, text));
  }

  private static String seconds(long nanos) {
    return TimeUnit.NANOSECONDS.toSeconds(nanos) + " s";
  }

  /** The last logged state of a node. */
  private static final class NodeRecord {
    private final Map<String, Count> counts = new HashMap<>();
    private Node node;
    private long since;
    private boolean suspect;

    /** Whether the node is logged as silent, and no later line has ended that. */
    private boolean silent;

    private long suspectSince;
    private int rangeSlots;
    private long limitLogged;

    NodeRecord(Node node, long now) {
      this.node = node;
      this.since = now;
      this.limitLogged = now;
    }

    String name() {
      return "Node " + node.addressText();
    }
  }

  /** The last logged value of a total. */
  private static final class Count {
    private long logged;
    private long at;
    private boolean first = true;

    Count(long logged, long at) {
      this.logged = logged;
      this.at = at;
    }
  }
}
