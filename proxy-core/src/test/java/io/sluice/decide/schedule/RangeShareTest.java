package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import io.sluice.testkit.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests range reads beyond their slots, while many point reads are in flight. */
class RangeShareTest {
  private static final int SLOTS = 32;

  private static SchedulingConfig oneSlot(double rangeShare) {
    return Records.with(
        SchedulingConfig.defaults(), "rangeSlotsStart", 1, "rangeShare", rangeShare);
  }

  private static Bench bench(SchedulingConfig config) {
    return new Bench(config, SLOTS, A);
  }

  private static List<TestDemand> points(Bench bench, int count) {
    List<TestDemand> points = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      points.add(bench.submitPoint(A));
    }
    return points;
  }

  private static void ranges(Bench bench, int count) {
    for (int i = 0; i < count; i++) {
      bench.submitRange(100, A);
    }
  }

  private static int inFlight(Bench bench) {
    return bench.ranges(A).inFlight();
  }

  @Test
  void range_reads_get_their_share_of_the_reads_in_flight() {
    Bench bench = bench(oneSlot(0.25));
    points(bench, 9);

    ranges(bench, 10);

    assertThat(inFlight(bench)).isEqualTo(3);
    assertThat(bench.ranges(A).queued()).isEqualTo(7);
  }

  @Test
  void more_range_reads_start_when_point_reads_start() {
    Bench bench = bench(oneSlot(0.25));
    ranges(bench, 10);
    assertThat(inFlight(bench)).isOne();

    points(bench, 6);

    assertThat(inFlight(bench)).isEqualTo(2);
  }

  @Test
  void no_range_read_starts_beyond_the_slots_after_the_point_reads_have_ended() {
    Bench bench = bench(oneSlot(0.5));
    List<TestDemand> points = points(bench, 6);
    ranges(bench, 10);
    assertThat(inFlight(bench)).isEqualTo(6);

    points.forEach(point -> point.finish(1, 100));
    range(bench, 0).finish(100, 30_000);
    range(bench, 1).finish(100, 30_000);

    assertThat(inFlight(bench)).isEqualTo(4);
  }

  private static TestDemand range(Bench bench, int index) {
    return bench.started.stream()
        .filter(each -> each.query().priorityClass() == PriorityClass.RANGE)
        .toList()
        .get(index);
  }

  @Test
  void without_a_share_range_reads_use_only_their_slots() {
    Bench bench = bench(oneSlot(0));
    points(bench, 20);

    ranges(bench, 10);

    assertThat(inFlight(bench)).isOne();
  }

  @Test
  void a_node_without_free_slots_starts_no_range_read() {
    Bench bench = bench(oneSlot(0.9));
    points(bench, SLOTS);

    ranges(bench, 10);

    assertThat(inFlight(bench)).isZero();
  }

  @Test
  void a_fixed_number_of_range_slots_is_not_exceeded() {
    Bench bench = bench(Bench.sharing(Bench.remainingWork(2), 0.5));
    points(bench, 20);

    ranges(bench, 10);

    assertThat(inFlight(bench)).isEqualTo(2);
  }

  @Test
  void without_point_priority_the_share_has_no_effect() {
    Bench bench = bench(Bench.sharing(Bench.config(RangeOrder.FIFO, false, 0), 0.5));
    int limit = bench.state(A).rangeSlots();
    points(bench, 20);

    ranges(bench, 30);

    assertThat(inFlight(bench)).isEqualTo(limit);
  }

  @Test
  void a_new_share_applies_at_once() {
    Bench bench = bench(oneSlot(0));
    points(bench, 20);
    ranges(bench, 10);

    bench.scheduler.change(oneSlot(0.3));

    assertThat(inFlight(bench)).isEqualTo(8);
  }

  /** The duration of a read that started because of the share says nothing about the limit. */
  @Test
  void reads_beyond_the_slots_do_not_move_the_limit() {
    Bench bench = bench(Bench.sharing(SchedulingConfig.defaults(), 0.5));
    int limit = bench.state(A).rangeSlots();
    points(bench, 16);
    ranges(bench, 300);
    assertThat(inFlight(bench)).isEqualTo(16);

    for (int i = 16; i < 200; i++) {
      bench.time.advance(20 * MS);
      range(bench, i - 12).finish(100, 30_000);
    }

    assertThat(bench.state(A).rangeSlots()).isEqualTo(limit);
  }

  /** Closed loops of point reads and range reads at one node, whose cores they share. */
  private static final class Loops {
    private final Bench bench;
    private final FakeNode node;
    private final Random random = new Random(3);
    private int points;
    private boolean overloads;

    Loops(int slots, double cores) {
      this(SchedulingConfig.defaults(), slots, cores);
    }

    Loops(SchedulingConfig config, int slots, double cores) {
      bench = new Bench(config, slots, A);
      node = new FakeNode(bench.time, cores);
    }

    /** Answers range reads with an overload until one slot is left. */
    Loops overload() {
      overloads = true;
      while (limit() > 1) {
        bench.time.advance(MS);
      }
      overloads = false;
      return this;
    }

    /** Changes the number of clients that send point reads. */
    Loops points(int clients) {
      int more = clients - points;
      points = clients;
      for (int i = 0; i < more; i++) {
        point(points - i);
      }
      return this;
    }

    private void point(int client) {
      if (client <= points) {
        ask(bench.query(PriorityClass.POINT, 1, 1, 1), 1, () -> point(client));
      }
    }

    Loops ranges(int clients) {
      for (int i = 0; i < clients; i++) {
        range();
      }
      return this;
    }

    private void range() {
      ask(bench.endless(500), 500, this::range);
    }

    private void ask(Query query, int rows, Runnable next) {
      bench.scheduler.submit(
          new TestDemand(
              "d",
              query,
              0,
              List.of(A),
              rows,
              demand ->
                  node.run(
                      (rows == 1 ? 3 : 5) * MS * Math.exp(0.3 * random.nextGaussian()),
                      () -> {
                        if (overloads && rows > 1) {
                          demand.finishOverloaded();
                        } else {
                          demand.finish(rows, rows * 300L);
                        }
                        next.run();
                      })));
    }

    /** Returns the mean of the limit in the last five of so many seconds. */
    double limitAfter(int seconds) {
      bench.time.advance((seconds - 5) * 1000L * MS);
      double sum = 0;
      for (int i = 0; i < 500; i++) {
        bench.time.advance(10 * MS);
        sum += limit();
      }
      return sum / 500;
    }

    int limit() {
      return bench.state(A).rangeSlots();
    }
  }

  /** Returns loops at a node with one range slot that has been fast with four. */
  private static Loops overloaded(int slots, double cores) {
    Loops loops = new Loops(slots, cores).ranges(3);
    loops.bench.time.advance(1000 * MS);
    return loops.overload();
  }

  @Test
  void the_limit_recovers_from_overloads_while_the_share_is_more() {
    Loops loops = overloaded(SLOTS, 64).points(25).ranges(40);

    assertThat(loops.limitAfter(10)).isGreaterThan(8);
    assertThat(inFlight(loops.bench)).isGreaterThan(5);
  }

  @Test
  void the_search_leaves_its_start_while_the_share_is_more() {
    Loops loops = new Loops(128, 256).ranges(3);
    loops.bench.time.advance(1000 * MS);
    assertThat(loops.limit()).isLessThanOrEqualTo(4);

    assertThat(loops.points(60).ranges(60).limitAfter(10)).isGreaterThan(12);
  }

  @Test
  void a_probe_ends_although_more_point_reads_arrive() {
    SchedulingConfig most = Bench.sharing(SchedulingConfig.defaults(), 0.6);
    Loops loops = new Loops(most, 17, 64).ranges(60);
    while (loops.limit() < 16) {
      loops.bench.time.advance(MS);
    }
    while (loops.limit() > 8) {
      loops.bench.time.advance(MS);
    }

    loops.points(8);

    assertThat(loops.limitAfter(10)).isGreaterThan(12);
  }

  @Test
  void a_node_without_a_base_gets_as_many_range_reads_as_at_the_start() {
    Loops loops = new Loops(SLOTS, 64).ranges(3).overload();

    assertThat(loops.points(25).ranges(40).limitAfter(30)).isGreaterThan(3);
  }

  /** Otherwise range reads would take the slots of point reads, which make them slow anyway. */
  @Test
  void reads_beyond_the_limit_of_a_node_that_is_busy_with_point_reads_do_not_raise_it() {
    Loops loops = overloaded(SLOTS, 2).points(75).ranges(40);

    assertThat(loops.limitAfter(20)).isLessThan(3);
    assertThat(inFlight(loops.bench)).isEqualTo(3);
  }
}
