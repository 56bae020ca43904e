package io.sluice.decide.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.QueueEntry.State;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.decide.schedule.SchedulerSnapshot.TenantState;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.ring.NodeId;
import io.sluice.time.NanoClock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Schedules sub-requests: holds them back per node and decides which one runs next. It has no
 * thread: the thread that submits or finishes something also starts what that made possible,
 * without a lock. So does the thread that changes nodes or settings, but under this object's lock,
 * which only such changes take. Safe for any thread.
 */
public final class Scheduler {
  private final NanoClock clock;
  private final ReplicaChoice choice;
  private final AtomicLong sequences = new AtomicLong();
  private final CostsByTable tables = new CostsByTable();
  private final SchedulerWitness witness;
  private volatile SlotRule slotRule;
  private volatile boolean observes;

  @GuardedBy("this")
  private Function<NodeId, RangePart> parts = node -> RangePart.WHOLE;

  /** The settings as they are set. */
  @GuardedBy("this")
  private SchedulingConfig set;

  @GuardedBy("this")
  private UnsetTimeouts unset = UnsetTimeouts.UNKNOWN;

  /** The settings with the timeouts that are not set. */
  @GuardedBy("this")
  private SchedulingConfig config;

  /**
   * Creates a scheduler without nodes.
   *
   * @param config the settings
   * @param clock the only clock that the scheduler reads
   */
  public Scheduler(SchedulingConfig config, NanoClock clock) {
    this(config, clock, SchedulerWitness.NONE);
  }

  /**
   * Creates a scheduler that reports to a witness.
   *
   * @param witness receives nodes and settings, and reads in the mode {@code OBSERVE}
   */
  public Scheduler(SchedulingConfig config, NanoClock clock, SchedulerWitness witness) {
    this.set = config;
    this.config = config;
    this.clock = clock;
    this.witness = witness;
    this.observes = config.mode() == Mode.OBSERVE;
    this.choice = new ReplicaChoice(config.mode());
    this.slotRule = new SlotRule(config);
  }

  /**
   * Replaces the set of nodes. A sub-request queued at a removed node moves to another of its
   * replicas, or is refused as unavailable. A sub-request in flight there keeps its permit.
   */
  public synchronized void nodes(Collection<NodeLimits> nodes) {
    Map<NodeId, LockedNodeQueue> gone = new HashMap<>(choice.queues());
    Map<NodeId, LockedNodeQueue> present = new HashMap<>();
    for (NodeLimits limits : nodes) {
      LockedNodeQueue known = gone.remove(limits.node());
      if (known != null) {
        known.concurrentReads(limits.concurrentReads());
      }
      LockedNodeQueue queue = known != null ? known : open(limits, nodes.size());
      queue.part(parts.apply(limits.node()));
      present.put(limits.node(), queue);
    }
    boolean more = !choice.queues().keySet().containsAll(present.keySet());
    choice.queues(present);
    if (more) {
      choice.leaveForBetter();
    }
    gone.values().forEach(LockedNodeQueue::close);
    witness.nodes(List.copyOf(nodes), clock.nanoTime());
  }

  /**
   * Changes the settings. A started read keeps its slot until it ends, whatever the mode. Queued
   * reads are put in the new order, or started if the new mode holds nothing back.
   */
  public synchronized void change(SchedulingConfig next) {
    set = next;
    apply(unset.equals(UnsetTimeouts.UNKNOWN) ? next : unset.in(next));
  }

  /**
   * Changes the timeouts that the nodes are configured to. Admission and ageing use them for a
   * class without a timeout in the settings, so that reads are neither refused nor sent earlier
   * than by the time that they have.
   */
  public synchronized void nodeTimeouts(Duration read, Duration range) {
    change(unset.ofNodes(read, range));
  }

  /** Changes the longest time that reads have without a timeout in the settings; null for any. */
  public synchronized void requestTimeout(@Nullable Duration most) {
    change(unset.atMost(most));
  }

  @GuardedBy("this")
  private void change(UnsetTimeouts next) {
    if (!next.equals(unset)) {
      unset = next;
      apply(next.in(set));
    }
  }

  @GuardedBy("this")
  private void apply(SchedulingConfig next) {
    config = next;
    slotRule = new SlotRule(next);
    choice.mode(next.mode());
    choice.queues().values().forEach(queue -> queue.change(next));
    observes = next.mode() == Mode.OBSERVE;
    witness.settings(next, clock.nanoTime());
  }

  /**
   * Changes how much a node is preferred. It gets no new reads while a better replica is available,
   * and its queued reads move to such a replica. Reads queued at worse nodes move to a node that
   * returns. Does nothing for an unknown node.
   */
  public void standing(NodeId node, NodeStanding standing) {
    LockedNodeQueue queue = choice.queues().get(node);
    if (queue != null && queue.standing() != standing) {
      boolean returns = standing.isBetterThan(queue.standing());
      queue.standing(standing, witness);
      if (returns) {
        choice.leaveForBetter();
      }
    }
  }

  /** Changes which part of each node's range slots this proxy uses. */
  public synchronized void rangeParts(Function<NodeId, RangePart> next) {
    parts = next;
    choice.queues().values().forEach(queue -> queue.part(next.apply(queue.node())));
  }

  /**
   * Returns what the range reads of this proxy needed since the last call: the mean number of those
   * in flight and waiting, as a share of the range slots of all proxies, at the node where this is
   * most. Takes each node's lock in turn, briefly.
   */
  public double takeRangeNeed() {
    return choice.queues().values().stream().mapToDouble(LockedNodeQueue::takeNeed).max().orElse(0);
  }

  /**
   * Creates a query for a client request that arrives now. The order of these calls breaks all
   * ties.
   */
  public Query query(QueryFacts facts) {
    return query(facts, clock.nanoTime());
  }

  /**
   * Creates a query for a client request that arrived at another proxy, at this time on this
   * proxy's clock.
   */
  public Query query(QueryFacts facts, long arrivalNanos) {
    TableCosts costs = tables.of(facts.table());
    double rows = costs.rows(facts);
    SlotClass slot = slotRule.of(facts.priorityClass(), rows, costs);
    return new Query(facts, sequences.incrementAndGet(), arrivalNanos, costs, rows, slot);
  }

  /**
   * Copies a query of another scheduler with the same clock: the same facts, predicted rows,
   * arrival and place in the order of arrival.
   */
  public Query like(Query other) {
    TableCosts costs = tables.of(other.facts().table());
    SlotClass slot = slotRule.of(other.priorityClass(), other.rows(), costs);
    return new Query(
        other.facts(), other.sequence(), other.arrivalNanos(), costs, other.rows(), slot);
  }

  /**
   * Chooses one of the demand's replicas, and starts, queues or refuses the demand there. Once one
   * sub-request of a query is admitted, the others are not refused for the backlog.
   *
   * @throws IllegalStateException when the demand was submitted before
   */
  public void submit(Demand demand) {
    if (demand.state != State.NEW) {
      throw new IllegalStateException("a demand is submitted once; this one is " + demand.state);
    }
    demand.state = State.MOVING;
    demand.submittedNanos = clock.nanoTime();
    demand.query().add(demand);
    if (observes) {
      demand.reportTo(witness);
    }
    place(demand);
  }

  /**
   * Removes a demand from its queue, for example because the client is gone, the deadline has
   * passed, or the answer is complete.
   *
   * @return false when the demand is not queued: {@code start} or {@code refuse} was called or is
   *     about to be
   */
  public boolean cancel(Demand demand) {
    boolean withdrawn = demand.withdraw(null);
    if (withdrawn) {
      demand.query().remove(demand);
    }
    return withdrawn;
  }

  /**
   * Lowers the remaining work of a query, which moves all its queued sub-requests forward. A value
   * above the current one is ignored.
   *
   * @param workMicros remaining work, µs
   */
  public void remaining(Query query, double workMicros) {
    if (query.lower(workMicros)) {
      query.forEachOpen(OpenEntries.Entry::moveForward);
    }
  }

  /**
   * Lowers the remaining work of a query to that of the rows left to read.
   *
   * @param rows estimate of the remaining rows; at least 0
   * @param subRequests number of sub-requests that they will take; at least 1
   */
  public void remaining(Query query, double rows, int subRequests) {
    remaining(query, query.costs().estimate(rows, subRequests));
    if (observes) {
      witness.remaining(query, rows, subRequests, clock.nanoTime());
    }
  }

  /** Returns the current state. Takes each node's lock in turn, briefly. */
  public SchedulerSnapshot snapshot() {
    return new SchedulerSnapshot(
        choice.queues().values().stream().map(LockedNodeQueue::state).toList());
  }

  /**
   * Returns the tenants whose reads have waited or were refused, by node. Takes each node's lock in
   * turn, for as long as it takes to copy its tenants.
   */
  public Map<NodeId, List<TenantState>> tenants() {
    Map<NodeId, List<TenantState>> tenants = new HashMap<>();
    choice.queues().forEach((node, queue) -> tenants.put(node, queue.tenants()));
    return tenants;
  }

  /**
   * Returns one node's current state, or null for an unknown node. Takes its lock, briefly, and no
   * other.
   */
  public @Nullable NodeState state(NodeId node) {
    LockedNodeQueue queue = choice.queues().get(node);
    return queue == null ? null : queue.state();
  }

  /**
   * Returns the time that nodes have for reads of a table.
   *
   * @param table the key of the costs, as in {@link QueryFacts#table}
   */
  public SpareTime spareTime(String table) {
    return new SpareTime(choice, tables.of(table));
  }

  /**
   * Predicts, by the same rules and figures, what would happen to a sub-request submitted now.
   * Changes nothing. Takes one node's lock, briefly.
   *
   * @param query the query that it would be a part of
   * @param replicas nodes that may answer it, the preferred first; not empty
   * @param rows rows that it will probably read; at least 0
   * @return null when none of the replicas is known
   */
  public @Nullable Preview preview(Query query, List<NodeId> replicas, double rows) {
    QueueEntry probe = new Probe(query, replicas, rows);
    LockedNodeQueue queue = choice.best(probe);
    return queue == null ? null : queue.preview(probe);
  }

  /** An entry that is never queued. */
  private static final class Probe extends QueueEntry {

    Probe(Query query, List<NodeId> replicas, double rows) {
      super(query, 0, replicas, rows);
    }

    @Override
    void started() {
      throw new IllegalStateException("it is never queued");
    }

    @Override
    void refused(Refusal reason) {
      started();
    }
  }

  private void place(QueueEntry entry) {
    boolean placed = false;
    while (!placed) {
      LockedNodeQueue queue = choice.best(entry);
      if (queue == null) {
        entry.state = State.ENDED;
        entry.query.remove(entry);
        entry.refused(
            new Refusal(Refusal.Reason.UNAVAILABLE, "No replica that could answer is reachable"));
        return;
      }
      placed = queue.offer(entry);
    }
  }

  /** Carries out what a queue decided under its lock, without the lock. */
  private void handOff(QueueEntry entry) {
    Refusal refusal = entry.refusal;
    if (refusal != null) {
      entry.query.remove(entry);
      if (refusal.reason() == Refusal.Reason.DEADLINE) {
        entry.query.forEachOpen(sibling -> sibling.withdraw(refusal));
      }
      entry.refused(refusal);
    } else if (entry.state == State.MOVING) {
      place(entry);
    } else {
      entry.query.remove(entry);
      entry.started();
    }
  }

  @GuardedBy("this")
  private LockedNodeQueue open(NodeLimits limits, int nodes) {
    return new LockedNodeQueue(limits, config, new NodeCosts(nodes), clock, choice, this::handOff);
  }

  /** Returns the memory that the costs of tables use, in bytes. */
  long tableBytes() {
    return tables.bytes();
  }
}
