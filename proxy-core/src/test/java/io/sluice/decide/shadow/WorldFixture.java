package io.sluice.decide.shadow;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulerWitness.Answer;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.decide.shadow.Shadow.ShadowListener;
import io.sluice.ring.NodeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;

/**
 * The scheduler in virtual time, and a record of its events. Each of two nodes runs one range read
 * at once, for 10 ms as long as its real answer is unknown.
 */
abstract class WorldFixture {
  static final long MS = 1_000_000;
  static final SchedulingConfig CONFIG = SchedulingConfig.defaults().in(Mode.OBSERVE);
  static final NodeId A = new NodeId(new UUID(0, 1));
  static final NodeId B = new NodeId(new UUID(0, 2));
  static final NodeId UNKNOWN = new NodeId(new UUID(0, 9));
  static final int ROWS = 1000;

  /** The events in their order, each with its time in ms. */
  private final List<String> log = new ArrayList<>();

  final List<VirtualRead> started = new ArrayList<>();
  final Scheduler real = new Scheduler(CONFIG, () -> 0);
  final World world = world();

  World world() {
    return new World(CONFIG, Steady::new, new Written(), 0);
  }

  /** A real read, which starts at once. Its number is that of its place in the query. */
  static final class Read extends Demand {
    Read(Query query, int number, List<NodeId> replicas) {
      super(query, number, replicas, ROWS);
    }

    @Override
    protected void start(Permit permit) {}

    @Override
    protected void refuse(Refusal refusal) {
      throw new AssertionError(refusal);
    }
  }

  /** A server whose reads do not delay each other. */
  private final class Steady implements VirtualServer {
    private final String name;
    private final Map<VirtualRead, Long> ends = new LinkedHashMap<>();

    Steady(NodeId node) {
      this.name = name(node);
      log.add("new server " + name);
    }

    @Override
    public void start(VirtualRead read, long now) {
      started.add(read);
      log.add(read.pieceNumber() + " starts at " + name + " " + now / MS);
      ends.put(read, now + 10 * MS);
    }

    @Override
    public void restate(VirtualRead read, double workNanos, long now) {
      log.add(read.pieceNumber() + " takes " + (long) (workNanos / MS) + " from " + now / MS);
      ends.put(read, now + (long) workNanos);
    }

    @Override
    public void stop(VirtualRead read, long now) {
      log.add(read.pieceNumber() + " stops " + now / MS);
      ends.remove(read);
    }

    @Override
    public long nextEnd() {
      return ends.values().stream().min(Comparator.naturalOrder()).orElse(NEVER);
    }

    @Override
    public VirtualRead end(long now) {
      long first = nextEnd();
      VirtualRead done =
          ends.entrySet().stream()
              .filter(each -> each.getValue() == first)
              .findFirst()
              .orElseThrow()
              .getKey();
      ends.remove(done);
      return done;
    }

    @Override
    public void seen(Answer answer, long now) {
      log.add(name + " has answered after " + answer.tookNanos() / MS + ", " + now / MS);
    }
  }

  private final class Written implements ShadowListener {
    @Override
    public void answered(NodeId node, PriorityClass of, long tookNanos, long at) {
      log.add("real " + of + " " + name(node) + " took " + tookNanos / MS + ", " + at / MS);
    }

    @Override
    public void wouldAnswer(NodeId node, PriorityClass of, long waited, long took, long at) {
      String times = " waited " + waited / MS + " took " + took / MS + ", " + at / MS;
      log.add(of + " " + name(node) + times);
    }

    @Override
    public void wouldRefuse(NodeId node, PriorityClass of, Refusal.Reason reason, long at) {
      log.add(of + " " + name(node) + " refused " + reason + ", " + at / MS);
    }
  }

  private static String name(NodeId node) {
    return node.equals(A) ? "A" : node.equals(B) ? "B" : "unknown";
  }

  static List<NodeLimits> limits(NodeId... nodes) {
    return List.of(nodes).stream().map(node -> new NodeLimits(node, 2)).toList();
  }

  @BeforeEach
  void two_nodes() {
    real.nodes(limits(A, B, UNKNOWN));
    world.nodes(limits(A, B));
  }

  Query query() {
    return real.query(
        new QueryFacts(PriorityClass.RANGE, "ks.t", "tenant", 10_000 * MS, ROWS, ROWS, 1));
  }

  /** Starts a real read without telling the world. */
  Read begun(Query query, int number, NodeId... replicas) {
    Read read = new Read(query, number, List.of(replicas));
    real.submit(read);
    return read;
  }

  Read submit(Query query, int number, NodeId... replicas) {
    Read read = begun(query, number, replicas);
    world.submitted(read);
    return read;
  }

  Read submit(int number, NodeId... replicas) {
    return submit(query(), number, replicas);
  }

  static Answer answer(long workMillis, long tookMillis) {
    return new Answer(ROWS, ROWS * 100L, (double) (workMillis * MS), tookMillis * MS, 0);
  }

  /** Runs the events up to this time and returns what has happened since the last call. */
  List<String> until(long millis) {
    world.runUntil(millis * MS);
    return news();
  }

  List<String> news() {
    List<String> news = List.copyOf(log);
    log.clear();
    return news;
  }
}
