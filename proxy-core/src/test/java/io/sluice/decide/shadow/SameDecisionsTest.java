package io.sluice.decide.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.NodeStanding;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.Query;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulerWitness.Answer;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import io.sluice.decide.shadow.Shadow.ShadowListener;
import io.sluice.ring.NodeId;
import io.sluice.time.NanoClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs the same arrivals and service times through a scheduler that enforces and through one that
 * observes. Both start and refuse the same reads at the same times, at the same nodes and for the
 * same reasons. Reads come in bursts, and estimates are wrong by up to ten times. Clients cancel
 * reads, remaining work shrinks, nodes become suspect, leave and come back, and settings change.
 */
class SameDecisionsTest {
  private static final long MS = 1_000_000;
  private static final List<RangeOrder> ORDERS = List.of(RangeOrder.values());
  private static final List<NodeId> NODES =
      List.of(new NodeId(new UUID(0, 1)), new NodeId(new UUID(0, 2)), new NodeId(new UUID(0, 3)));

  @ParameterizedTest
  @CsvSource({
    "REMAINING_WORK,true,0",
    "REMAINING_WORK,true,2",
    "REMAINING_WORK,false,2",
    "FIFO,true,0",
    "NARROW_FIRST,true,2"
  })
  void observe_mode_predicts_the_decisions_of_enforce_mode(
      RangeOrder order, boolean pointPriority, int rangeSlots) {
    int refused = 0;
    for (long seed = 1; seed <= 12; seed++) {
      List<Step> script = script(seed);
      SchedulingConfig config = config(order, pointPriority, rangeSlots);
      Enforced enforced = new Enforced(config);
      Observed observed = new Observed(config);

      enforced.play(script);
      observed.play(script);

      assertThat(observed.log).as("seed %d", seed).isEqualTo(enforced.log);
      assertThat(enforced.log).hasSizeGreaterThan(300).anyMatch(line -> line.contains("starts"));
      assertThat(enforced.waited).as("reads that waited").isGreaterThan(50);
      refused += (int) enforced.log.stream().filter(line -> line.contains("refused")).count();
    }
    assertThat(refused).as("reads that were refused").isPositive();
  }

  static SchedulingConfig config(RangeOrder order, boolean pointPriority, int rangeSlots) {
    return new SchedulingConfig(
        Mode.ENFORCE,
        pointPriority,
        order,
        0,
        rangeSlots,
        4,
        1,
        0,
        0,
        Duration.ofMillis(300),
        Duration.ofMillis(600),
        0.1,
        0.1,
        0.1,
        Map.of("b", 0.5));
  }

  /** An event at a time. */
  private record Step(long at, Deed deed) {}

  private interface Deed {
    void in(Play play);
  }

  /** A read of the script. */
  private record Sub(
      long query,
      int pieceNumber,
      List<NodeId> replicas,
      double expected,
      long rows,
      long serviceNanos) {
    String name() {
      return query + "/" + pieceNumber;
    }
  }

  private static List<Step> script(long seed) {
    Random random = new Random(seed);
    List<Step> script = new ArrayList<>();
    long at = 0;
    long query = 1;
    while (query <= 600) {
      at += (long) (3 * MS * -Math.log(1 - random.nextDouble())) + 1;
      int burst = random.nextInt(12) == 0 ? 25 : 1;
      for (int i = 0; i < burst; i++) {
        arrival(random, script, at, query++);
      }
      disturbance(random, script, at + MS / 2);
    }
    return script;
  }

  private static void arrival(Random random, List<Step> script, long at, long query) {
    boolean point = random.nextInt(10) < 6;
    int width = point ? 1 : 1 + random.nextInt(3);
    double rows = point ? 1 : 1 + random.nextInt(2000);
    QueryFacts facts =
        new QueryFacts(
            point ? PriorityClass.POINT : PriorityClass.RANGE,
            "ks.t" + random.nextInt(2),
            random.nextBoolean() ? "a" : "b",
            at + (point ? 300 : 600) * MS,
            rows * width,
            (int) (rows * width),
            width);
    boolean left = random.nextInt(12) == 0;
    List<Sub> subs = new ArrayList<>();
    for (int pieceNumber = 0; pieceNumber < width; pieceNumber++) {
      List<NodeId> replicas = new ArrayList<>(NODES);
      Collections.shuffle(replicas, random);
      double wrongBy = Math.pow(10, 2 * random.nextDouble() - 1);
      long service = (long) ((point ? 0.3 : 0.1 + rows / 100) * wrongBy * MS) + 1;
      subs.add(
          new Sub(
              query,
              pieceNumber,
              List.copyOf(replicas.subList(0, 1 + random.nextInt(3))),
              rows,
              (long) (rows * wrongBy),
              left ? Long.MAX_VALUE / 4 : service));
    }
    script.add(new Step(at, play -> play.arrives(facts, subs)));
    if (left) {
      script.add(new Step(at + random.nextInt((int) (80 * MS)), play -> subs.forEach(play::left)));
    } else if (width > 1 && random.nextBoolean()) {
      long later = at + random.nextInt((int) (20 * MS));
      script.add(new Step(later, play -> play.remaining(query, rows / 2, 1)));
    }
  }

  private static void disturbance(Random random, List<Step> script, long at) {
    NodeId node = NODES.get(random.nextInt(3));
    switch (random.nextInt(60)) {
      case 0 -> script.add(new Step(at, play -> play.standing(node, NodeStanding.SUSPECT)));
      case 1, 2 -> script.add(new Step(at, play -> play.standing(node, NodeStanding.NORMAL)));
      case 3 -> {
        script.add(new Step(at, play -> play.nodes(NODES.subList(0, 2))));
        script.add(new Step(at + 40 * MS + 1, play -> play.nodes(NODES)));
      }
      case 4 -> {
        int slots = 1 + random.nextInt(3);
        RangeOrder order = ORDERS.get(random.nextInt(ORDERS.size()));
        script.add(new Step(at, play -> play.settings(config(order, true, slots))));
      }
      default -> {}
    }
  }

  /** A run of the script. */
  private abstract static class Play {
    private record Event(long at, long number, Runnable action) {}

    private final PriorityQueue<Event> events =
        new PriorityQueue<>(
            (one, other) ->
                one.at != other.at
                    ? Long.compare(one.at, other.at)
                    : Long.compare(one.number, other.number));
    private final Map<Long, Query> queries = new HashMap<>();
    private final Map<String, Read> reads = new HashMap<>();
    private long numbered;
    long now;
    final NanoClock clock = () -> now;
    final List<String> log = new ArrayList<>();
    int waited;

    abstract Scheduler scheduler();

    abstract void settings(SchedulingConfig settings);

    /** Starts the read. */
    abstract void started(Read read);

    abstract void refused(Read read, Refusal refusal);

    /** A read in the scheduler. */
    final class Read extends Demand {
      final Sub sub;
      boolean running;

      Read(Query query, Sub sub) {
        super(query, sub.pieceNumber(), sub.replicas(), sub.expected());
        this.sub = sub;
      }

      @Override
      protected void start(Permit permit) {
        running = true;
        started(this);
      }

      @Override
      protected void refuse(Refusal refusal) {
        refused(this, refusal);
      }
    }

    void after(long nanos, Runnable action) {
      events.add(new Event(now + nanos, numbered++, action));
    }

    void play(List<Step> script) {
      nodes(NODES);
      script.forEach(step -> after(step.at(), () -> step.deed().in(this)));
      while (!events.isEmpty()) {
        Event next = events.remove();
        now = next.at();
        next.action().run();
      }
    }

    void arrives(QueryFacts facts, List<Sub> subs) {
      Query query = scheduler().query(facts);
      queries.put(subs.get(0).query(), query);
      for (Sub sub : subs) {
        Read read = new Read(query, sub);
        reads.put(sub.name(), read);
        scheduler().submit(read);
      }
    }

    void left(Sub sub) {
      Read read = reads.get(sub.name());
      if (!scheduler().cancel(read) && read.running) {
        read.running = false;
        read.finishAbandoned();
      }
    }

    void remaining(long query, double rows, int subRequests) {
      Query known = queries.get(query);
      if (known != null) {
        scheduler().remaining(known, rows, subRequests);
      }
    }

    void standing(NodeId node, NodeStanding standing) {
      scheduler().standing(node, standing);
    }

    void nodes(List<NodeId> nodes) {
      scheduler().nodes(nodes.stream().map(node -> new NodeLimits(node, 5)).toList());
    }

    static String starts(long at, String name, NodeId node) {
      return at + " " + name + " starts at " + node;
    }

    static String refused(long at, NodeId node, PriorityClass of, Refusal.Reason reason) {
      return at + " a " + of + " refused at " + node + ": " + reason;
    }

    static String answered(long at, NodeId node, PriorityClass of, long waited, long took) {
      return at + " a " + of + " answered by " + node + ", took " + took + ", waited " + waited;
    }
  }

  /** A run that queues reads. */
  private static final class Enforced extends Play {
    private final Scheduler scheduler;

    Enforced(SchedulingConfig config) {
      this.scheduler = new Scheduler(config, clock);
    }

    @Override
    Scheduler scheduler() {
      return scheduler;
    }

    @Override
    void settings(SchedulingConfig settings) {
      scheduler.change(settings);
    }

    @Override
    void started(Read read) {
      waited += now > read.submittedNanos() ? 1 : 0;
      log.add(starts(now, read.sub.name(), read.node()));
      after(
          read.sub.serviceNanos(),
          () -> {
            if (read.running) {
              read.running = false;
              long took = now - read.submittedNanos();
              PriorityClass of = read.query().priorityClass();
              log.add(answered(now, read.node(), of, took - read.sub.serviceNanos(), took));
              read.finish(read.sub.rows(), read.sub.rows() * 300);
            }
          });
    }

    @Override
    void refused(Read read, Refusal refusal) {
      if (refusal.reason() != Refusal.Reason.UNAVAILABLE) {
        log.add(refused(now, read.node(), read.query().priorityClass(), refusal.reason()));
      }
    }
  }

  /** A run that starts all reads at once and answers them immediately. The shadow is compared. */
  private static final class Observed extends Play {
    private final Scheduler scheduler;
    private final Shadow shadow;
    private final Map<String, Sub> subs = new HashMap<>();

    Observed(SchedulingConfig config) {
      shadow = new Shadow(config.in(Mode.OBSERVE), clock, new Written(), node -> new Given());
      scheduler = new Scheduler(config.in(Mode.OBSERVE), clock, shadow);
    }

    @Override
    Scheduler scheduler() {
      return scheduler;
    }

    @Override
    void settings(SchedulingConfig settings) {
      scheduler.change(settings.in(Mode.OBSERVE));
    }

    @Override
    void arrives(QueryFacts facts, List<Sub> arriving) {
      arriving.forEach(sub -> subs.put(sub.name(), sub));
      super.arrives(facts, arriving);
    }

    @Override
    void started(Read read) {
      if (read.sub.serviceNanos() < Long.MAX_VALUE / 4) {
        read.running = false;
        read.finish(read.sub.rows(), read.sub.rows() * 300);
      }
    }

    @Override
    void refused(Read read, Refusal refusal) {
      // No node is known. The shadow refuses the read, too.
    }

    @Override
    void play(List<Step> script) {
      for (long at = 0; at < script.get(script.size() - 1).at() + 2_000 * MS; at += 7 * MS) {
        after(at, shadow::run);
      }
      super.play(script);
    }

    private static String name(VirtualRead read) {
      return read.query().sequence() + "/" + read.pieceNumber();
    }

    /** A server whose reads take the time in the script, for any other load. */
    private final class Given implements VirtualServer {
      private final TreeMap<Long, List<VirtualRead>> running = new TreeMap<>();

      @Override
      public void start(VirtualRead read, long at) {
        log.add(starts(at, name(read), read.node()));
        Sub sub = subs.get(name(read));
        running.computeIfAbsent(at + sub.serviceNanos(), each -> new ArrayList<>()).add(read);
      }

      @Override
      public void restate(VirtualRead read, double workNanos, long at) {
        // The script gives the duration.
      }

      @Override
      public void stop(VirtualRead read, long at) {
        running.values().forEach(reads -> reads.remove(read));
        running.values().removeIf(List::isEmpty);
      }

      @Override
      public long nextEnd() {
        return running.isEmpty() ? NEVER : running.firstKey();
      }

      @Override
      public VirtualRead end(long at) {
        List<VirtualRead> first = running.firstEntry().getValue();
        VirtualRead done = first.remove(0);
        if (first.isEmpty()) {
          running.pollFirstEntry();
        }
        return done;
      }

      @Override
      public void seen(Answer answer, long at) {
        // The script gives the speed.
      }
    }

    private final class Written implements ShadowListener {
      @Override
      public void wouldAnswer(
          NodeId node, PriorityClass priorityClass, long waitedNanos, long tookNanos, long at) {
        log.add(Play.answered(at, node, priorityClass, waitedNanos, tookNanos));
      }

      @Override
      public void wouldRefuse(
          NodeId node, PriorityClass priorityClass, Refusal.Reason reason, long at) {
        log.add(Play.refused(at, node, priorityClass, reason));
      }
    }
  }
}
