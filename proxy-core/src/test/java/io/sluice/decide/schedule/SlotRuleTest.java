package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import org.junit.jupiter.api.Test;

/** Tests that a point read takes a range slot if it costs as much as many point reads. */
class SlotRuleTest {
  private static final int SCAN = 2_000;
  private static final int SLOTS = 32;

  private Bench bench = new Bench(SchedulingConfig.defaults(), SLOTS, A);

  private TestDemand submit(PriorityClass kind, double rows) {
    Query query =
        bench.scheduler.query(
            new QueryFacts(kind, "ks.t", "t", Long.MAX_VALUE, rows, (int) rows, 1));
    return bench.submit(query, rows, A);
  }

  private TestDemand point(double partitions) {
    return submit(PriorityClass.POINT, partitions);
  }

  /** Submits as many scans as may run, and one that is queued. */
  private void fillWithScans() {
    boolean full = false;
    while (!full) {
      full = submit(PriorityClass.RANGE, SCAN).isWaiting();
    }
  }

  @Test
  void a_read_of_two_hundred_partitions_waits_for_a_range_slot() {
    fillWithScans();

    assertThat(point(200).isWaiting()).isTrue();
    assertThat(point(2).isWaiting()).isFalse();
    assertThat(point(1).isWaiting()).isFalse();
  }

  @Test
  void point_reads_of_many_partitions_leave_slots_for_those_of_one() {
    boolean full = false;
    while (!full) {
      full = point(200).isWaiting();
    }

    assertThat(point(1).isWaiting()).isFalse();
  }

  private void timesOut() {
    TestDemand read = point(200);
    bench.time.advance(Bench.MS);
    read.finishOverloaded();
    bench.time.advance(Bench.MS);
  }

  /** Answers waves of large point reads, each after a millisecond, of which some wait. */
  private void answersOf(int waves) {
    for (int i = 0; i < waves; i++) {
      int next = bench.started.size();
      for (int j = 0; j < 10; j++) {
        point(200);
      }
      while (next < bench.started.size()) {
        bench.time.advance(Bench.MS);
        bench.started.get(next++).finish(200, 60_000);
      }
    }
  }

  @Test
  void the_range_slots_recover_from_timeouts_when_only_point_reads_take_them() {
    timesOut();
    timesOut();
    assertThat(bench.state(A).rangeSlots()).isOne();

    answersOf(400);
    assertThat(bench.state(A).rangeSlots()).as("slots after four seconds").isOne();

    answersOf(2_000);
    assertThat(bench.state(A).rangeSlots())
        .isEqualTo(SchedulingConfig.defaults().rangeSlotsStart());
  }

  private TestDemand read(long fingerprint) {
    Query query = bench.point(fingerprint);
    return bench.submit(query, query.rows(), A);
  }

  private void answered(long fingerprint, long bytes) {
    TestDemand read = read(fingerprint);
    bench.time.advance(1_000_000);
    read.finish(-1, bytes);
  }

  @Test
  void a_read_of_one_partition_waits_for_a_range_slot_after_a_large_answer() {
    answered(7, 1 << 20);
    fillWithScans();

    assertThat(read(7).isWaiting()).isTrue();
    assertThat(read(8).isWaiting()).as("another read").isFalse();
  }

  @Test
  void it_takes_any_slot_again_after_a_small_answer() {
    answered(7, 1 << 20);
    answered(7, 100);
    fillWithScans();

    assertThat(read(7).isWaiting()).isFalse();
  }

  @Test
  void its_work_is_that_of_its_latest_answer() {
    answered(7, 1 << 20);

    assertThat(bench.point(7).remainingMicros())
        .isGreaterThan(20 * bench.point(8).remainingMicros());
  }

  @Test
  void large_reads_that_wait_refuse_no_small_one() {
    answered(7, 1 << 20);
    for (int i = 0; i < 500; i++) {
      read(7);
    }
    for (int i = 1; i <= 4; i++) {
      bench.time.advance(1100 * Bench.MS);
      bench.started.get(i).finish(-1, 1 << 20);
    }

    assertThat(read(7).refusals).as("one more large read").isEqualTo(1);
    for (int i = 0; i < 2 * SLOTS; i++) {
      assertThat(read(8).refusals).as("a small read").isZero();
    }
  }

  @Test
  void in_the_orders_of_the_paper_only_the_kind_of_the_statement_counts() {
    bench = new Bench(Bench.config(RangeOrder.FIFO, true, 0), SLOTS, A);
    fillWithScans();

    assertThat(point(200).isWaiting()).isFalse();
  }
}
