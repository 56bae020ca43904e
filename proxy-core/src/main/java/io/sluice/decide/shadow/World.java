package io.sluice.decide.shadow;

import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.NodeStanding;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulerSnapshot;
import io.sluice.decide.schedule.SchedulerWitness.Answer;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.decide.shadow.Shadow.ShadowListener;
import io.sluice.ring.NodeId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler in the mode {@code ENFORCE}, in front of virtual nodes, in virtual time. Time
 * advances only by {@link #runUntil}, where reads end one after another, each at its own time. Not
 * safe for several threads, but for {@link #snapshot}.
 */
final class World implements VirtualRead.Listener {
  private final Scheduler scheduler;
  private final Function<NodeId, VirtualServer> servers;
  private final Map<NodeId, VirtualServer> nodes = new HashMap<>();
  private final ShadowListener listener;
  private volatile long now;

  /** Creates a world without nodes that begins at {@code now}. */
  World(
      SchedulingConfig settings,
      Function<NodeId, VirtualServer> servers,
      ShadowListener listener,
      long now) {
    this.now = now;
    this.servers = servers;
    this.listener = listener;
    this.scheduler = new Scheduler(settings.in(Mode.ENFORCE), () -> this.now);
  }

  SchedulerSnapshot snapshot() {
    return scheduler.snapshot();
  }

  /** Runs all events up to {@code end}; none if that is past. */
  void runUntil(long end) {
    for (VirtualServer next = next(); next != null && next.nextEnd() <= end; next = next()) {
      now = Math.max(now, next.nextEnd());
      VirtualRead done = next.end(now);
      listener.wouldAnswer(
          done.node(),
          done.query().priorityClass(),
          done.startedNanos() - done.submittedNanos(),
          now - done.submittedNanos(),
          now);
      done.complete();
    }
    now = Math.max(now, end);
  }

  private @Nullable VirtualServer next() {
    VirtualServer next = null;
    long earliest = VirtualServer.NEVER;
    for (VirtualServer node : nodes.values()) {
      long end = node.nextEnd();
      if (end < earliest) {
        next = node;
        earliest = end;
      }
    }
    return next;
  }

  private VirtualServer server(NodeId node) {
    return nodes.computeIfAbsent(node, servers);
  }

  void nodes(List<NodeLimits> limits) {
    scheduler.nodes(limits);
    // The reads of a removed node run to their ends there.
    nodes
        .entrySet()
        .removeIf(
            each ->
                each.getValue().nextEnd() == VirtualServer.NEVER
                    && limits.stream().noneMatch(known -> known.node().equals(each.getKey())));
  }

  void standing(NodeId node, NodeStanding standing) {
    scheduler.standing(node, standing);
  }

  void settings(SchedulingConfig settings) {
    scheduler.change(settings.in(Mode.ENFORCE));
  }

  /** Submits the virtual counterpart of a real read. */
  void submitted(Demand real) {
    VirtualRead read = new VirtualRead(this, query(real.query()), real);
    real.companion(read);
    scheduler.submit(read);
  }

  private Query query(Query real) {
    if (real.companion() instanceof VirtualQuery known && known.world() == this) {
      return known.query();
    }
    Query query = scheduler.like(real);
    real.companion(new VirtualQuery(this, query));
    return query;
  }

  /** The virtual counterpart, in one world, of a real query. */
  private record VirtualQuery(World world, Query query) {}

  void remaining(Query real, double rows, int subRequests) {
    if (real.companion() instanceof VirtualQuery known && known.world() == this) {
      scheduler.remaining(known.query(), rows, subRequests);
    }
  }

  /** Takes over the answer of a real node. */
  void answered(Demand real, Answer answer) {
    server(real.node()).seen(answer, now);
    listener.answered(real.node(), real.query().priorityClass(), answer.tookNanos(), now);
    VirtualRead read = read(real);
    if (read != null && read.isRunning()) {
      server(read.node()).restate(read, answer.workNanos(), now);
    }
    if (read != null) {
      read.setAnswer(answer);
    }
  }

  /** Abandons the virtual counterpart of a read. */
  void abandoned(Demand real) {
    VirtualRead read = read(real);
    if (read != null && read.isRunning()) {
      server(read.node()).stop(read, now);
      read.abandon();
    } else if (read != null) {
      scheduler.cancel(read);
    }
  }

  private @Nullable VirtualRead read(Demand real) {
    return real.companion() instanceof VirtualRead read && read.reportsTo(this) ? read : null;
  }

  @Override
  public void started(VirtualRead read) {
    read.markStarted(now);
    server(read.node()).start(read, now);
  }

  @Override
  public void refused(VirtualRead read, Refusal refusal) {
    if (refusal.reason() != Refusal.Reason.UNAVAILABLE) {
      listener.wouldRefuse(read.node(), read.query().priorityClass(), refusal.reason(), now);
    }
  }
}
