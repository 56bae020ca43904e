package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Reads take slots by what they cost, not by what they are called. */
class LightReadsTest {
  private static final int SCAN = 2_000;
  private static final int SLOTS = 32;

  private final Bench bench = new Bench(SchedulingConfig.defaults(), SLOTS, A);

  private Query query(PriorityClass kind, double rows, int limit, boolean readsWhatItReturns) {
    return bench.scheduler.query(
        new QueryFacts(kind, "ks.t", "t", Long.MAX_VALUE, rows, limit, 1, readsWhatItReturns));
  }

  private TestDemand submit(PriorityClass kind, double rows) {
    return bench.submit(query(kind, rows, (int) rows, true), rows, A);
  }

  private TestDemand range(double rows) {
    return submit(PriorityClass.RANGE, rows);
  }

  /** As many scans as may run, and one that waits. */
  private void fillWithScans() {
    boolean full = false;
    while (!full) {
      full = range(SCAN).isWaiting();
    }
  }

  @Test
  void a_small_range_read_does_not_wait_for_the_slot_of_a_scan() {
    fillWithScans();

    assertThat(range(10).isWaiting()).isFalse();
  }

  @Test
  void small_range_reads_have_as_many_slots_as_scans() {
    fillWithScans();
    int slots = bench.state(A).rangeSlots();

    int started = 0;
    while (!range(10).isWaiting()) {
      started++;
    }

    assertThat(started).isEqualTo(slots);
  }

  @Test
  void a_small_limit_makes_a_range_read_light_however_little_is_known_of_its_table() {
    fillWithScans();

    TestDemand unknown = bench.submit(query(PriorityClass.RANGE, 10, 10, true), 10, A);
    TestDemand unlimited =
        bench.submit(query(PriorityClass.RANGE, 10, Integer.MAX_VALUE, true), 10, A);

    assertThat(unknown.isWaiting()).isFalse();
    assertThat(unlimited.isWaiting()).isTrue();
  }

  @Test
  void an_aggregate_or_a_filter_is_not_light_whatever_its_limit() {
    fillWithScans();

    assertThat(bench.submit(query(PriorityClass.RANGE, 10, 10, false), 10, A).isWaiting()).isTrue();
  }

  @Test
  void a_read_of_two_hundred_partitions_waits_with_the_scans() {
    fillWithScans();

    assertThat(submit(PriorityClass.POINT, 200).isWaiting()).isTrue();
    assertThat(submit(PriorityClass.POINT, 2).isWaiting()).isFalse();
    assertThat(submit(PriorityClass.POINT, 1).isWaiting()).isFalse();
  }

  @Test
  void a_light_read_that_took_much_longer_costs_its_table_the_privilege_for_a_while() {
    TestDemand first = range(10);
    bench.time.advance(50 * MS);
    first.finish(10, 3_000);
    fillWithScans();

    assertThat(range(10).isWaiting()).isTrue();
    bench.time.advance(100 * 50 * MS);
    assertThat(range(10).isWaiting()).isFalse();
  }

  @Test
  void a_pause_of_the_node_makes_all_reads_late_and_none_suspicious_for_long() {
    TestDemand first = range(10);
    bench.time.advance(2 * MS);
    first.finish(10, 3_000);
    fillWithScans();

    assertThat(range(10).isWaiting()).isTrue();
    bench.time.advance(200 * MS);
    assertThat(range(10).isWaiting()).isFalse();
  }

  @Test
  void point_reads_find_a_slot_beside_any_number_of_range_reads() {
    fillWithScans();
    boolean full = false;
    while (!full) {
      full = range(10).isWaiting();
    }

    assertThat(submit(PriorityClass.POINT, 1).isWaiting()).isFalse();
  }

  /** Small range reads beside a few scans, in closed loops at a node of eight cores. */
  private static final class Mix {
    private final Random random = new Random(3);
    private final Bench bench = new Bench(SchedulingConfig.defaults(), SLOTS, A);
    private final FakeNode node = new FakeNode(bench.time, 8);
    private final double[] nanos = new double[3];
    private final int[] reads = new int[3];

    private void next() {
      double dice = random.nextDouble();
      int rows = dice < 0.5 ? 1 : dice < 0.99 ? 1 + random.nextInt(10) : SCAN;
      PriorityClass kind = dice < 0.5 ? PriorityClass.POINT : PriorityClass.RANGE;
      Query query =
          bench.scheduler.query(new QueryFacts(kind, "ks.t", "t", Long.MAX_VALUE, rows, rows, 1));
      bench.scheduler.submit(new TestDemand("d", query, 0, List.of(A), rows, this::started));
    }

    private void started(TestDemand demand) {
      double noise = Math.exp(0.3 * random.nextGaussian());
      node.run((0.4 * MS + demand.rows * 0.023 * MS) * noise, () -> finish(demand));
    }

    private void finish(TestDemand demand) {
      boolean point = demand.query().priorityClass() == PriorityClass.POINT;
      int kind = point ? 0 : demand.rows < SCAN ? 1 : 2;
      nanos[kind] += (double) (bench.time.nanoTime() - demand.query().arrivalNanos());
      reads[kind]++;
      demand.finish((long) demand.rows, (long) (demand.rows * 300));
      next();
    }

    double mean(int kind) {
      return nanos[kind] / reads[kind] / MS;
    }
  }

  @Test
  void small_range_reads_are_not_held_up_by_scans() {
    Mix mix = new Mix();
    for (int i = 0; i < 83; i++) {
      mix.next();
    }
    mix.bench.time.runUntil(30_000 * MS);

    assertThat(mix.mean(0)).isLessThan(2);
    assertThat(mix.mean(1)).isLessThan(1.8);
    assertThat(mix.reads[2]).isGreaterThan(2_000);
  }
}
