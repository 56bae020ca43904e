package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.B;
import static io.sluice.decide.schedule.Bench.MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.QueueEntry.State;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import io.sluice.ring.NodeId;
import io.sluice.testkit.Records;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests settings that change while reads are queued and in flight. */
class ChangedSettingsTest {

  private static final List<NodeStanding> STANDINGS = List.of(NodeStanding.values());
  private static final int SLOTS = 4;
  private static final List<Mode> MODES = List.of(Mode.values());
  private static final List<RangeOrder> ORDERS = List.of(RangeOrder.values());

  private static SchedulingConfig config(Mode mode) {
    return Bench.config(mode, RangeOrder.REMAINING_WORK, true, 1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"OBSERVE", "PASSTHROUGH"})
  void queued_reads_start_when_enforce_mode_ends(Mode free) {
    Bench bench = new Bench(config(Mode.ENFORCE), SLOTS, A);
    List<TestDemand> reads = ranges(bench, 5);
    assertThat(bench.started).hasSize(1);

    bench.scheduler.change(config(free));

    assertThat(bench.started).containsExactlyInAnyOrderElementsOf(reads);
    assertThat(bench.state(A).range().queued()).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"OBSERVE", "PASSTHROUGH"})
  void reads_started_without_limit_count_as_in_flight_in_enforce_mode(Mode free) {
    Bench bench = new Bench(config(free), SLOTS, A);
    List<TestDemand> reads = ranges(bench, 5);
    assertThat(bench.started).hasSize(5);

    bench.scheduler.change(config(Mode.ENFORCE));
    TestDemand late = ranges(bench, 1).get(0);
    reads.subList(0, 4).forEach(TestDemand::finishAbandoned);
    assertThat(bench.started).doesNotContain(late);
    reads.get(4).finish(1, 1);

    assertThat(bench.started).contains(late);
    late.finish(1, 1);
    assertThat(bench.state(A).range().inFlight()).isZero();
  }

  @Test
  void more_range_slots_start_more_reads_at_once() {
    Bench bench = new Bench(config(Mode.ENFORCE), SLOTS, A);
    ranges(bench, 5);

    bench.scheduler.change(Bench.remainingWork(3));

    assertThat(bench.started).hasSize(3);
  }

  @Test
  void queued_reads_follow_a_new_order() {
    Bench bench = new Bench(config(Mode.ENFORCE), SLOTS, A);
    TestDemand running = ranges(bench, 1).get(0);
    TestDemand large = range(bench, 5_000);
    TestDemand small = range(bench, 10);

    bench.scheduler.change(Bench.config(RangeOrder.FIFO, true, 1));
    running.finishAbandoned();
    assertThat(bench.started).containsExactly(running, large);

    bench.scheduler.change(Bench.remainingWork(1));
    large.finishAbandoned();
    assertThat(bench.started).containsExactly(running, large, small);
  }

  @Test
  void a_new_weight_applies_to_queued_reads() {
    Bench bench = new Bench(config(Mode.ENFORCE), SLOTS, A);
    List<TestDemand> reads = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      bench.tenant = i % 2 == 0 ? "reports" : "shop";
      reads.add(range(bench, 100));
    }
    bench.scheduler.change(weights(Map.of("reports", 3.0)));
    for (int i = 0; i < 16; i++) {
      bench.started.get(bench.started.size() - 1).finishAbandoned();
    }
    assertThat(bench.started.stream().filter(each -> reads.indexOf(each) % 2 == 0).count())
        .isBetween(12L, 14L);
  }

  private static SchedulingConfig weights(Map<String, Double> weights) {
    return Records.with(config(Mode.ENFORCE), "tenantWeights", weights);
  }

  @Test
  void a_node_added_later_has_the_new_settings() {
    Bench bench = new Bench(config(Mode.ENFORCE), SLOTS, A);
    bench.scheduler.change(Bench.remainingWork(3));
    bench.scheduler.nodes(List.of(new NodeLimits(B, SLOTS)));
    assertThat(bench.state(B).rangeSlots()).isEqualTo(3);
  }

  private static List<TestDemand> ranges(Bench bench, int count) {
    List<TestDemand> reads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      reads.add(range(bench, 100));
    }
    return reads;
  }

  private static TestDemand range(Bench bench, double rows) {
    Query query = bench.query(PriorityClass.RANGE, rows, (int) rows, 1);
    TestDemand read =
        new TestDemand("range " + rows, query, 0, List.of(A), rows, bench.started::add);
    bench.scheduler.submit(read);
    return read;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void each_read_ends_once_and_frees_its_slot_whatever_setting_changes(long seed) {
    Trace trace = new Trace(seed);
    trace.run(400);
    trace.checkEnd();
  }

  /** Random reads on virtual time, with settings that change at random between them. */
  private static final class Trace {
    private final Random random;
    private final String seed;
    private final Map<NodeId, FakeNode> nodes = new HashMap<>();
    private final List<TestDemand> all = new ArrayList<>();
    private final List<TestDemand> cancelled = new ArrayList<>();
    private final Bench bench;
    private SchedulingConfig config = config(Mode.ENFORCE);
    private int finished;
    private int unlimited;
    private int waited;

    Trace(long seed) {
      this.seed = "seed " + seed;
      this.random = new Random(seed);
      this.bench = new Bench(config, SLOTS, A, B);
      nodes.put(A, new FakeNode(bench.time, 2));
      nodes.put(B, new FakeNode(bench.time, 2));
    }

    void run(int steps) {
      for (int step = 0; step < steps; step++) {
        int dice = random.nextInt(100);
        if (dice < 70) {
          arrive();
        } else if (dice < 76 && !all.isEmpty()) {
          cancel(all.get(random.nextInt(all.size())));
        } else if (dice < 82 && !all.isEmpty()) {
          Query query = all.get(random.nextInt(all.size())).query();
          bench.scheduler.remaining(query, query.remainingMicros() * random.nextDouble());
        } else if (dice < 86) {
          bench.scheduler.standing(random.nextBoolean() ? A : B, STANDINGS.get(random.nextInt(3)));
        } else {
          config = next();
          bench.scheduler.change(config);
        }
        checkNow();
        bench.time.advance((long) (4 * MS * -Math.log(1 - random.nextDouble())));
        checkNow();
      }
      bench.time.runOut();
    }

    private SchedulingConfig next() {
      int reads = random.nextInt(3) == 0 ? 3 + random.nextInt(6) : 0;
      int least = 1 + random.nextInt(2);
      return new SchedulingConfig(
          MODES.get(random.nextInt(3)),
          random.nextBoolean(),
          ORDERS.get(random.nextInt(3)),
          reads,
          random.nextInt(3),
          least + random.nextInt(3),
          least,
          0,
          0,
          Duration.ofSeconds(1 + random.nextInt(5)),
          Duration.ofSeconds(1 + random.nextInt(10)),
          0.1 + random.nextDouble(),
          0.1 + random.nextDouble(),
          random.nextDouble(),
          random.nextBoolean() ? Map.of() : Map.of("a", 0.5 + random.nextDouble()));
    }

    private void arrive() {
      boolean point = random.nextBoolean();
      PriorityClass priorityClass = point ? PriorityClass.POINT : PriorityClass.RANGE;
      bench.tenant = random.nextBoolean() ? "a" : "b";
      for (int burst = random.nextInt(8) == 0 ? 20 : 1; burst > 0; burst--) {
        double rows = point ? 1 : 1 + random.nextInt(2_000);
        Query query = bench.query(priorityClass, rows, (int) rows, 1);
        List<NodeId> replicas =
            random.nextBoolean() ? List.of(A, B) : List.of(random.nextBoolean() ? A : B);
        TestDemand read =
            new TestDemand("read " + query.sequence(), query, 0, replicas, rows, this::started);
        all.add(read);
        bench.scheduler.submit(read);
      }
    }

    private void started(TestDemand read) {
      NodeState state = bench.state(read.node());
      int inFlight = state.point().inFlight() + state.range().inFlight();
      if (config.mode() == Mode.ENFORCE) {
        assertThat(inFlight).as(seed).isLessThanOrEqualTo(state.slots());
      } else if (inFlight > state.slots()) {
        unlimited++;
      }
      int end = random.nextInt(20);
      FakeNode node = Objects.requireNonNull(nodes.get(read.node()));
      node.run(Bench.work(read.rows), () -> finish(read, end));
    }

    private void finish(TestDemand read, int end) {
      finished++;
      if (end == 0) {
        read.finishAbandoned();
      } else if (end == 1) {
        read.finishOverloaded();
      } else {
        long rows = (long) read.rows;
        read.finish(rows, rows * 300);
      }
    }

    private void cancel(TestDemand read) {
      if (bench.scheduler.cancel(read)) {
        cancelled.add(read);
      }
    }

    private void checkNow() {
      OrderingPolicy order = new OrderingPolicy(config);
      for (TestDemand read : all) {
        if (read.state == State.QUEUED) {
          waited++;
          assertThat(config.mode()).as("%s %s waits", seed, read).isEqualTo(Mode.ENFORCE);
          assertThat(read.key).as("%s %s", seed, read).isEqualTo(order.key(read));
        }
      }
      bench.scheduler.snapshot().nodes().forEach(this::checkNoSlotIdles);
    }

    private void checkNoSlotIdles(NodeState state) {
      int inFlight = state.point().inFlight() + state.range().inFlight();
      boolean slot = inFlight < state.slots();
      if (slot && state.range().inFlight() < state.rangeSlots()) {
        assertThat(state.point().queued() + state.range().queued()).as(seed).isZero();
      }
    }

    void checkEnd() {
      int starts = 0;
      for (TestDemand read : all) {
        int ends = read.starts + read.refusals + (cancelled.contains(read) ? 1 : 0);
        assertThat(ends).as("%s %s", seed, read).isEqualTo(1);
        starts += read.starts;
      }
      assertThat(finished).isEqualTo(starts);
      assertThat(unlimited).as("reads started beyond the slots outside enforce mode").isPositive();
      assertThat(waited).as("reads that waited").isPositive();
      for (NodeState state : bench.scheduler.snapshot().nodes()) {
        assertThat(state.point().queued() + state.range().queued()).as(seed).isZero();
        assertThat(state.point().inFlight() + state.range().inFlight()).as(seed).isZero();
        assertThat(state.backlogMicros()).as(seed).isZero();
      }
    }
  }
}
