package io.sluice.decide.shadow;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.NodeStanding;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.SchedulerWitness;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.ring.NodeId;
import io.sluice.time.NanoClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Simulates what the scheduler would do with the reads that it only observes. The threads of
 * requests record events. Another thread runs the same scheduler over these in virtual time, in
 * front of virtual nodes. Safe for any thread.
 */
public final class Shadow implements SchedulerWitness {

  /** Time after which a recorded event has arrived here, except for rare pauses. */
  private static final long LATE_NANOS = 5_000_000;

  private static final long PUBLISH_NANOS = 1_000_000_000;

  private final NanoClock clock;
  private final Function<NodeId, VirtualServer> servers;
  private final Inbox inbox = new Inbox();
  private volatile List<ShadowState> states = ShadowState.NONE;

  // The following fields belong to the thread that calls run().
  private final List<Inbox.Note> next = new ArrayList<>();
  private final ReadCounts counts;
  private final Map<NodeId, NodeStanding> standings = new HashMap<>();
  private List<NodeLimits> nodes = List.of();
  private SchedulingConfig config;
  private @Nullable World world;
  private long now;
  private long publishedAt;

  /**
   * Creates a shadow without nodes.
   *
   * @param config the scheduler's settings
   * @param clock the scheduler's clock
   * @param listener receives the results, on the thread that calls {@link #run}
   */
  public Shadow(SchedulingConfig config, NanoClock clock, ShadowListener listener) {
    this(config, clock, listener, node -> new VirtualNode());
  }

  Shadow(
      SchedulingConfig config,
      NanoClock clock,
      ShadowListener listener,
      Function<NodeId, VirtualServer> servers) {
    this.config = config;
    this.clock = clock;
    this.counts = new ReadCounts(listener);
    this.servers = servers;
    this.now = clock.nanoTime();
    this.publishedAt = now - PUBLISH_NANOS;
    settle();
  }

  /**
   * Returns both classes of all nodes, at most about a second old; empty in any mode but OBSERVE.
   */
  public List<ShadowState> states() {
    return states;
  }

  /**
   * Returns how many events were lost because too many were queued; estimates are wrong for a while
   * after a loss.
   */
  public long lost() {
    return inbox.lost();
  }

  /** Processes the events up to a moment ago. Callers must not overlap. */
  public void run() {
    long until = clock.nanoTime();
    next.addAll(inbox.take());
    next.sort((one, other) -> Long.compare(one.at(), other.at()));
    int done = 0;
    try {
      while (done < next.size() && next.get(done).at() <= until - LATE_NANOS) {
        Inbox.Note note = next.get(done++);
        runUntil(note.at());
        note.happen();
      }
    } finally {
      // A failed note is not retried.
      next.subList(0, done).clear();
    }
    runUntil(until - LATE_NANOS);
    if (until - publishedAt >= PUBLISH_NANOS) {
      publishedAt = until;
      publish();
    }
  }

  private void runUntil(long time) {
    now = Math.max(now, time);
    if (world != null) {
      world.runUntil(now);
    }
  }

  private void publish() {
    World observed = world;
    states = observed == null ? ShadowState.NONE : counts.states(observed.snapshot(), now);
  }

  /** Starts or stops observing, as the mode says. */
  private void settle() {
    if (config.mode() != Mode.OBSERVE) {
      world = null;
      counts.clear();
    } else if (world == null) {
      World begun = new World(config, servers, counts, now);
      begun.nodes(nodes);
      standings.forEach(begun::standing);
      world = begun;
    }
  }

  @Override
  public void nodes(List<NodeLimits> all, long at) {
    inbox.add(new Change(at, () -> follow(all)));
  }

  private void follow(List<NodeLimits> all) {
    nodes = all;
    List<NodeId> present = all.stream().map(NodeLimits::node).toList();
    standings.keySet().retainAll(present);
    counts.retainAll(present);
    if (world != null) {
      world.nodes(all);
    }
  }

  @Override
  public void standing(NodeId node, NodeStanding standing, long at) {
    inbox.add(
        new Change(
            at,
            () -> {
              standings.put(node, standing);
              if (world != null) {
                world.standing(node, standing);
              }
            }));
  }

  @Override
  public void settings(SchedulingConfig settings, long at) {
    inbox.add(
        new Change(
            at,
            () -> {
              config = settings;
              if (world != null) {
                world.settings(settings);
              }
              settle();
              publishedAt = now - PUBLISH_NANOS;
            }));
  }

  @Override
  public void submitted(Demand demand) {
    inbox.add(new Submitted(demand));
  }

  @Override
  public void remaining(Query query, double rows, int subRequests, long at) {
    inbox.add(
        new Event(at) {
          @Override
          void happen(World in) {
            in.remaining(query, rows, subRequests);
          }
        });
  }

  @Override
  public void answered(Demand demand, Answer answer) {
    inbox.add(new Answered(demand, answer));
  }

  @Override
  public void abandoned(Demand demand, long at) {
    inbox.add(
        new Event(at) {
          @Override
          void happen(World in) {
            in.abandoned(demand);
          }
        });
  }

  /** A change of nodes or settings; it is never lost. */
  private static final class Change extends Inbox.Note {
    private final Runnable action;

    Change(long at, Runnable action) {
      super(at);
      this.action = action;
    }

    @Override
    boolean mayBeLost() {
      return false;
    }

    @Override
    void happen() {
      action.run();
    }
  }

  /** An event of a read. */
  private abstract class Event extends Inbox.Note {

    Event(long at) {
      super(at);
    }

    @Override
    final void happen() {
      if (world != null) {
        happen(world);
      }
    }

    abstract void happen(World in);
  }

  /** The arrival of a read. */
  private final class Submitted extends Event {
    private final Demand demand;

    Submitted(Demand demand) {
      super(demand.submittedNanos());
      this.demand = demand;
    }

    @Override
    void happen(World in) {
      in.submitted(demand);
    }
  }

  /** The answer to a read. */
  private final class Answered extends Event {
    private final Demand demand;
    private final Answer answer;

    Answered(Demand demand, Answer answer) {
      super(answer.at());
      this.demand = demand;
      this.answer = answer;
    }

    @Override
    void happen(World in) {
      in.answered(demand, answer);
    }
  }

  /**
   * A listener for the shadow's results. All times are in ns; {@code at} is the time of the event
   * on the scheduler's clock, and never decreases. Called by one thread at a time.
   */
  public interface ShadowListener {

    /** A listener that ignores everything. */
    ShadowListener NONE = new ShadowListener() {};

    /** Receives the answer of a real node to a read, and the time since it was sent. */
    default void answered(NodeId node, PriorityClass priorityClass, long tookNanos, long at) {}

    /**
     * Receives the answer of a virtual node to a read: its wait, and its total time with that wait.
     */
    default void wouldAnswer(
        NodeId node, PriorityClass priorityClass, long waitedNanos, long tookNanos, long at) {}

    /** Receives the refusal of a read by the virtual scheduler. */
    default void wouldRefuse(
        NodeId node, PriorityClass priorityClass, Refusal.Reason reason, long at) {}
  }
}
