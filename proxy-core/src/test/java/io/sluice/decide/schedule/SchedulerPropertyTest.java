package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.B;
import static io.sluice.decide.schedule.Bench.C;
import static io.sluice.decide.schedule.Bench.MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.QueryFacts.Share;
import io.sluice.decide.schedule.QueueEntry.State;
import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import io.sluice.ring.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random traces on virtual time: arrivals in bursts, estimates wrong by up to ten times, cancels,
 * lost links, overload answers, reads that are queued last, nodes that are suspected, leave and
 * come back.
 */
class SchedulerPropertyTest {
  private static final List<NodeStanding> STANDINGS = List.of(NodeStanding.values());
  private static final int SLOTS = 6;

  @ParameterizedTest
  @CsvSource({
    "REMAINING_WORK,true,0,0",
    "REMAINING_WORK,true,0,0.6",
    "REMAINING_WORK,true,2,0",
    "REMAINING_WORK,false,2,0",
    "FIFO,true,0,0.6",
    "FIFO,true,2,0",
    "FIFO,false,2,0",
    "NARROW_FIRST,true,2,0",
    "NARROW_FIRST,false,2,0"
  })
  void every_rule_holds_at_every_step(
      RangeOrder order, boolean pointPriority, int rangeSlots, double rangeShare) {
    SchedulingConfig config = Bench.config(order, pointPriority, rangeSlots);
    for (long seed = 1; seed <= 5; seed++) {
      Trace trace = new Trace(seed, Bench.sharing(config, rangeShare));
      trace.run(250);
      trace.checkEnd();
    }
  }

  @ParameterizedTest
  @CsvSource({"REMAINING_WORK,0", "FIFO,2", "NARROW_FIRST,2"})
  void the_same_trace_gives_the_same_log(RangeOrder order, int rangeSlots) {
    for (long seed = 1; seed <= 3; seed++) {
      Trace once = new Trace(seed, Bench.config(order, true, rangeSlots));
      Trace again = new Trace(seed, Bench.config(order, true, rangeSlots));

      once.run(300);
      again.run(300);

      assertThat(once.log).hasSizeGreaterThan(100).isEqualTo(again.log);
    }
  }

  private static final class Trace {
    private final Random random;
    private final long seed;
    private final boolean pointPriority;
    private final boolean fixedRangeSlots;
    private final double rangeShare;
    private final RangeOrder order;
    private final Bench bench;
    private final Map<NodeId, FakeNode> nodes = new HashMap<>();
    private final List<TestDemand> all = new ArrayList<>();
    private final List<TestDemand> waiting = new ArrayList<>();
    private final List<TestDemand> cancelled = new ArrayList<>();
    private final Map<TestDemand, Long> keys = new HashMap<>();
    private final Map<Query, Long> latestKeys = new HashMap<>();

    /** The estimated work of each query at arrival. */
    private final Map<Query, Double> works = new HashMap<>();

    private final List<String> log = new ArrayList<>();
    private int finished;
    private boolean draining;

    Trace(long seed, SchedulingConfig config) {
      this.seed = seed;
      this.random = new Random(seed);
      this.pointPriority = config.pointPriority();
      this.fixedRangeSlots = config.rangeSlots() > 0;
      this.rangeShare = config.rangeShare();
      this.order = config.rangeOrder();
      this.bench = new Bench(config, SLOTS, A, B, C);
      for (NodeId node : List.of(A, B, C)) {
        nodes.put(node, new FakeNode(bench.time, 2));
      }
    }

    void run(int steps) {
      for (int step = 0; step < steps; step++) {
        act();
        bench.time.advance((long) (4 * MS * -Math.log(1 - random.nextDouble())));
        checkNow();
      }
      draining = true;
      bench.time.runOut();
      checkNow();
    }

    private void act() {
      int dice = random.nextInt(100);
      if (dice < 45 || all.isEmpty()) {
        arrive(PriorityClass.POINT);
      } else if (dice < 80) {
        arrive(PriorityClass.RANGE);
      } else if (dice < 88) {
        cancel();
      } else if (dice < 95) {
        lower();
      } else {
        disturb();
      }
    }

    private void arrive(PriorityClass priorityClass) {
      boolean point = priorityClass == PriorityClass.POINT;
      int burst = random.nextInt(10) == 0 ? 30 : 1;
      for (int i = 0; i < burst; i++) {
        int width = point ? 1 : 1 + random.nextInt(3);
        double rows = point ? 1 : 1 + random.nextInt(2000);
        QueryFacts facts =
            point
                ? bench.pointBehind(random.nextInt(3) * random.nextInt(9000), latest()).facts()
                : bench.query(priorityClass, rows * width, (int) (rows * width), width).facts();
        boolean last = random.nextInt(8) == 0;
        Query query = bench.scheduler.query(facts.with(new Share("tenant", 0, last), width));
        works.put(query, query.remainingMicros());
        latestKeys.put(query, latestKey(query));
        for (int pieceNumber = 0; pieceNumber < width; pieceNumber++) {
          submit(query, pieceNumber, rows);
        }
      }
    }

    private void submit(Query query, int pieceNumber, double rows) {
      List<NodeId> replicas = new ArrayList<>(List.of(A, B, C));
      Collections.shuffle(replicas, random);
      String name = query.sequence() + "/" + pieceNumber;
      TestDemand demand =
          new TestDemand(
              name,
              query,
              pieceNumber,
              replicas.subList(0, 1 + random.nextInt(3)),
              rows,
              this::started);
      all.add(demand);
      waiting.add(demand);
      bench.scheduler.submit(demand);
    }

    private void started(TestDemand demand) {
      log.add(bench.time.nanoTime() + " " + demand + " " + demand.node());
      checkSlots(demand, bench.state(demand.node()));
      checkOrder(demand);
      FakeNode node = Objects.requireNonNull(nodes.get(demand.node()));
      double errorFactor = Math.pow(10, 2 * random.nextDouble() - 1);
      double nanos = Bench.work(demand.rows) * errorFactor;
      int end = random.nextInt(40);
      node.run(nanos, () -> finish(demand, errorFactor, end));
    }

    private void finish(TestDemand demand, double errorFactor, int end) {
      finished++;
      if (end == 0) {
        demand.finishAbandoned();
      } else if (end == 1) {
        demand.finishOverloaded();
      } else {
        long rows = (long) (demand.rows * errorFactor);
        demand.finish(end < 10 ? -1 : rows, rows * 300);
      }
      if (!draining) {
        checkNow();
      }
    }

    private void cancel() {
      TestDemand demand = all.get(random.nextInt(all.size()));
      if (bench.scheduler.cancel(demand)) {
        assertThat(demand.isWaiting()).as(context()).isTrue();
        cancelled.add(demand);
      }
    }

    private void lower() {
      Query query = all.get(random.nextInt(all.size())).query();
      bench.scheduler.remaining(query, query.remainingMicros() * (1.2 * random.nextDouble()));
    }

    private void disturb() {
      NodeId node = List.of(A, B, C).get(random.nextInt(3));
      if (random.nextBoolean()) {
        bench.scheduler.standing(node, STANDINGS.get(random.nextInt(3)));
      } else if (random.nextInt(3) == 0) {
        bench.scheduler.nodes(
            List.of(A, B, C).stream()
                .filter(other -> !other.equals(node))
                .map(other -> new NodeLimits(other, SLOTS))
                .toList());
      } else {
        bench.scheduler.nodes(
            List.of(A, B, C).stream().map(each -> new NodeLimits(each, SLOTS)).toList());
      }
    }

    private void checkNow() {
      waiting.removeIf(demand -> demand.state == State.STARTED || demand.state == State.ENDED);
      bench.scheduler.snapshot().nodes().forEach(this::checkNoSlotIdles);
      checkKeys();
    }

    private void checkSlots(TestDemand started, NodeState state) {
      if (fixedRangeSlots && started.query().priorityClass() == PriorityClass.RANGE) {
        assertThat(state.range().inFlight()).as(context()).isBetween(1, state.rangeSlots());
      }
      assertThat(state.point().inFlight() + state.range().inFlight()).isBetween(1, SLOTS);
    }

    private void checkNoSlotIdles(NodeState state) {
      ClassState point = state.point();
      ClassState range = state.range();
      boolean slot = point.inFlight() + range.inFlight() < state.slots();
      int inFlight = point.inFlight() + range.inFlight();
      boolean share = range.inFlight() + 1 <= rangeShare * (inFlight + 1);
      boolean rangeSlot = slot && (range.inFlight() < state.rangeSlots() || share);
      if (rangeSlot) {
        assertThat(range.queued() + point.queued()).as(context()).isZero();
      } else if (slot && pointPriority) {
        assertThat(point.queued()).as(context()).isZero();
      }
    }

    /** Checks that no queued demand of the same class at that node precedes the one that starts. */
    private void checkOrder(TestDemand next) {
      for (TestDemand other : waiting) {
        if (other.state != State.QUEUED || other.holder != next.holder || !sameLine(other, next)) {
          continue;
        }
        // A demand that was never queued has no key.
        if (next.key != Long.MAX_VALUE) {
          int byKey = Long.compare(place(next), place(other));
          int byId = Long.compare(next.query().sequence(), other.query().sequence());
          assertThat(byKey != 0 ? byKey : byId)
              .as("%s %s %s", context(), next, other)
              .isNotPositive();
        }
        if (order == RangeOrder.REMAINING_WORK) {
          assertThat(next.query().arrivalNanos())
              .as("%s: %s overtakes %s too late", context(), next, other)
              .isLessThanOrEqualTo(latestKeys.get(other.query()));
        }
      }
    }

    /**
     * The key in the demand's line: point reads use their arrival and their client's other reads.
     */
    private long place(TestDemand demand) {
      boolean amongPoints = pointPriority && demand.slotClass() == SlotClass.POINT;
      if (amongPoints && isLast(demand.query())) {
        return order == RangeOrder.NARROW_FIRST
            ? Long.MAX_VALUE - 1
            : demand.query().arrivalNanos() + lastNanos(demand.query());
      }
      return amongPoints && order == RangeOrder.REMAINING_WORK
          ? demand.query().arrivalNanos() + behind(demand.query())
          : demand.key;
    }

    private static boolean isLast(Query query) {
      return query.facts().share().last();
    }

    /** The time for which later reads may pass a read that is queued last. */
    private static long lastNanos(Query query) {
      return (query.priorityClass() == PriorityClass.POINT ? 3750 : 7500) * MS;
    }

    private long latest() {
      return bench.time.nanoTime() + random.nextInt(200) * MS;
    }

    private long behind(Query query) {
      QueryFacts.OtherReads others = query.facts().others();
      if (order != RangeOrder.REMAINING_WORK || others.underWay() == 0) {
        return 0;
      }
      double ahead = others.underWay() * works.getOrDefault(query, query.remainingMicros()) * 1000;
      return Math.max(
          (long) Math.min(ahead, 1000.0 * MS), others.latestNanos() - query.arrivalNanos());
    }

    private boolean sameLine(TestDemand one, TestDemand other) {
      return !pointPriority || one.slotClass() == other.slotClass();
    }

    /** Checks that keys never rise, and that all queued parts of a query have the same key. */
    private void checkKeys() {
      Map<Query, Long> byQuery = new HashMap<>();
      for (TestDemand demand : waiting) {
        if (demand.state == State.QUEUED) {
          assertThat(demand.key).as(context()).isLessThanOrEqualTo(before(demand));
          keys.put(demand, demand.key);
          assertThat(byQuery.getOrDefault(demand.query(), demand.key)).isEqualTo(demand.key);
          byQuery.put(demand.query(), demand.key);
        }
      }
    }

    private long before(TestDemand demand) {
      return keys.getOrDefault(demand, Long.MAX_VALUE);
    }

    private long latestKey(Query query) {
      if (isLast(query)) {
        return query.arrivalNanos() + lastNanos(query);
      }
      double patience = 4 * query.remainingMicros() * 1000;
      boolean amongRanges = query.priorityClass() == PriorityClass.POINT && !pointPriority;
      double age = (amongRanges ? 2500.0 : 5000.0) * MS;
      return query.arrivalNanos() + (long) Math.min(patience, age) + behind(query);
    }

    void checkEnd() {
      int starts = 0;
      for (TestDemand demand : all) {
        int ends = demand.starts + demand.refusals + (cancelled.contains(demand) ? 1 : 0);
        assertThat(ends).as("%s %s", context(), demand).isEqualTo(1);
        starts += demand.starts;
      }
      assertThat(finished).isEqualTo(starts).isPositive();
      for (NodeState state : bench.scheduler.snapshot().nodes()) {
        assertThat(state.point().queued() + state.range().queued()).as(context()).isZero();
        assertThat(state.point().inFlight() + state.range().inFlight()).isZero();
        assertThat(state.backlogMicros()).isZero();
      }
    }

    private String context() {
      return "seed " + seed + " at " + bench.time.nanoTime();
    }
  }
}
