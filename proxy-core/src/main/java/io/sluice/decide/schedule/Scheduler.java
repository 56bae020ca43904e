package io.sluice.decide.schedule;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.QueueEntry.State;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.decide.schedule.SchedulerSnapshot.TenantState;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.ring.NodeId;
import io.sluice.time.NanoClock;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Holds sub-requests back per node and says which one runs next. It has no thread: the thread that
 * submits or finishes something also starts what that made possible, after unlocking. Safe for any
 * thread.
 */
public final class Scheduler {
  private final NanoClock clock;
  private final ReplicaChoice choice;
  private final AtomicLong sequences = new AtomicLong();
  private final CostsByTable tables = new CostsByTable();
  private final SchedulerWitness witness;
  private volatile SlotRule slotRule;
  private volatile boolean observes;
  private final LongAdder unavailable = new LongAdder();

  @GuardedBy("this")
  private ToIntFunction<NodeId> proxies = node -> 1;

  @GuardedBy("this")
  private SchedulingConfig config;

  /**
   * Knows no node yet.
   *
   * @param config the settings
   * @param clock the only clock it reads
   */
  public Scheduler(SchedulingConfig config, NanoClock clock) {
    this(config, clock, SchedulerWitness.NONE);
  }

  /**
   * The same with someone who is told.
   *
   * @param witness told of nodes and settings, and of reads in the mode {@code OBSERVE}
   */
  public Scheduler(SchedulingConfig config, NanoClock clock, SchedulerWitness witness) {
    this.config = config;
    this.clock = clock;
    this.witness = witness;
    this.observes = config.mode() == Mode.OBSERVE;
    this.choice = new ReplicaChoice(config.mode());
    this.slotRule = new SlotRule(config);
  }

  /**
   * Replaces the set of nodes. What is queued at one that is gone moves to another replica it
   * named, or is refused as unavailable; what is in flight there keeps its permit. One call at a
   * time.
   */
  public synchronized void nodes(Collection<NodeLimits> nodes) {
    Map<NodeId, LockedNodeQueue> gone = new HashMap<>(choice.gates());
    Map<NodeId, LockedNodeQueue> present = new HashMap<>();
    for (NodeLimits limits : nodes) {
      LockedNodeQueue known = gone.remove(limits.node());
      if (known != null) {
        known.concurrentReads(limits.concurrentReads());
      }
      LockedNodeQueue gate = known != null ? known : open(limits, nodes.size());
      gate.proxies(proxies.applyAsInt(limits.node()));
      present.put(limits.node(), gate);
    }
    choice.gates(present);
    gone.values().forEach(LockedNodeQueue::close);
    witness.nodes(List.copyOf(nodes), clock.nanoTime());
  }

  /**
   * Changes the settings. What was started keeps its slot until it ends, whatever the mode; what
   * waits is put in the new order, or started where nothing is held back any more. One call at a
   * time.
   */
  public synchronized void change(SchedulingConfig next) {
    config = next;
    slotRule = new SlotRule(next);
    choice.mode(next.mode());
    choice.gates().values().forEach(gate -> gate.change(next));
    observes = next.mode() == Mode.OBSERVE;
    witness.settings(next, clock.nanoTime());
  }

  /**
   * Changes how much a node is preferred: it gets nothing new while a better replica is there, and
   * what is queued there goes to such a one. Nothing happens when the node is not known.
   */
  public void standing(NodeId node, NodeStanding standing) {
    LockedNodeQueue gate = choice.gates().get(node);
    if (gate != null && gate.standing() != standing) {
      gate.standing(standing);
      witness.standing(node, standing, clock.nanoTime());
    }
  }

  /**
   * Changes how many proxies share the range slots of each node. Where they are several, this one
   * uses so many a part of the slots that it has found, one at least, and does not search for more:
   * the range reads that it gives such a node are those that could not wait at the node's home.
   *
   * @param sharing how many; 1 where all range reads of a node wait here
   */
  public synchronized void proxies(ToIntFunction<NodeId> sharing) {
    proxies = sharing;
    choice.gates().values().forEach(gate -> gate.proxies(sharing.applyAsInt(gate.node())));
  }

  /** A client request that arrives now; the order of these calls breaks all ties. */
  public Query query(QueryFacts facts) {
    return query(facts, clock.nanoTime());
  }

  /** A client request that arrived at another proxy, at this time on this one's clock. */
  public Query query(QueryFacts facts, long arrivalNanos) {
    TableCosts costs = tables.of(facts.table());
    long sequence = sequences.incrementAndGet();
    return new Query(facts, sequence, arrivalNanos, costs, slotRule.of(facts, costs));
  }

  /**
   * A request of another scheduler with the same clock: the same facts, arrival and place in the
   * order of arrival.
   */
  public Query like(Query other) {
    TableCosts costs = tables.of(other.facts().table());
    SlotClass slot = slotRule.of(other.facts(), costs);
    return new Query(other.facts(), other.sequence(), other.arrivalNanos(), costs, slot);
  }

  /**
   * Chooses one of the demand's replicas, and starts it there, queues it there or refuses it. Once
   * one sub-request of a query was let in, the others are not refused for the backlog.
   *
   * @throws IllegalStateException when it was submitted before
   */
  public void submit(Demand demand) {
    if (demand.state != State.NEW) {
      throw new IllegalStateException("a demand is submitted once; this one is " + demand.state);
    }
    demand.state = State.MOVING;
    demand.queuedNanos = clock.nanoTime();
    demand.submittedNanos = demand.queuedNanos;
    demand.query().add(demand);
    if (observes) {
      demand.isSeenBy(witness);
    }
    place(demand);
  }

  /**
   * Takes a demand out of its queue: client gone, deadline passed, answer complete.
   *
   * @return false when it is not queued: {@code start} or {@code refuse} was called or is about to
   *     be
   */
  public boolean cancel(Demand demand) {
    boolean withdrawn = demand.withdraw(null);
    if (withdrawn) {
      demand.query().remove(demand);
    }
    return withdrawn;
  }

  /**
   * Lowers what is left of a query; all its queued sub-requests move forward. A higher value than
   * before is ignored.
   *
   * @param workMicros work left, µs
   */
  public void remaining(Query query, double workMicros) {
    if (query.lower(workMicros)) {
      query.forEachOpen(OpenEntries.Entry::moveForward);
    }
  }

  /**
   * The same, told by what is left to read.
   *
   * @param rows rows that are left, by estimate; at least 0
   * @param subRequests how many sub-requests they will take; at least 1
   */
  public void remaining(Query query, double rows, int subRequests) {
    remaining(query, query.costs().estimate(rows, subRequests));
    if (observes) {
      witness.remaining(query, rows, subRequests, clock.nanoTime());
    }
  }

  /** The state now. Takes each node's lock in turn, shortly. */
  public SchedulerSnapshot snapshot() {
    return new SchedulerSnapshot(
        choice.gates().values().stream().map(LockedNodeQueue::state).toList(), unavailable.sum());
  }

  /**
   * The tenants that have waited at each node, or were refused there. Takes each node's lock in
   * turn, for as long as it takes to copy so many.
   */
  public Map<NodeId, List<TenantState>> tenants() {
    Map<NodeId, List<TenantState>> tenants = new HashMap<>();
    choice.gates().forEach((node, gate) -> tenants.put(node, gate.tenants()));
    return tenants;
  }

  /** One node's state now, null when it is not known. Takes its lock, shortly, and no other. */
  public @Nullable NodeState state(NodeId node) {
    LockedNodeQueue gate = choice.gates().get(node);
    return gate == null ? null : gate.state();
  }

  /**
   * The fate of a sub-request that were submitted now, by the same rules and figures; nothing
   * changes. Takes one node's lock, shortly.
   *
   * @param query what it would be a part of
   * @param replicas nodes that may answer it, the preferred first; not empty
   * @param rows rows it will probably read; at least 0
   * @return null when none of the replicas is known
   */
  public @Nullable Preview preview(Query query, List<NodeId> replicas, double rows) {
    QueueEntry probe = new Probe(query, replicas, rows);
    LockedNodeQueue gate = choice.best(probe);
    return gate == null ? null : gate.preview(probe);
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
      LockedNodeQueue gate = choice.best(entry);
      if (gate == null) {
        unavailable.increment();
        entry.state = State.ENDED;
        entry.query.remove(entry);
        entry.refused(
            new Refusal(Refusal.Reason.UNAVAILABLE, "No replica that could answer is reachable"));
        return;
      }
      placed = gate.offer(entry);
    }
  }

  /** Acts on what a gate decided under its lock, without the lock. */
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

  /** Memory for what is known of tables by name, in bytes. */
  long tableBytes() {
    return tables.bytes();
  }
}
