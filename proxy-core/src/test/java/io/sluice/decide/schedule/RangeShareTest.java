package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import io.sluice.testkit.Records;
import java.util.ArrayList;
import java.util.List;
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
}
