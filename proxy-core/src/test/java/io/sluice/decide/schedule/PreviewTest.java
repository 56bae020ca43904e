package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.B;
import static io.sluice.decide.schedule.Bench.MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import io.sluice.ring.NodeId;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Tests that a preview predicts what happens to a read submitted right after it, and changes
 * nothing.
 */
class PreviewTest {

  private static final int SLOTS = 4;

  private Bench bench = new Bench(Bench.remainingWork(1), SLOTS, A, B);

  private Preview preview(Query query, double rows, NodeId... replicas) {
    return Objects.requireNonNull(bench.scheduler.preview(query, List.of(replicas), rows));
  }

  private Preview range(NodeId... replicas) {
    return preview(bench.range(1_000), 1_000, replicas);
  }

  private Preview point(double partitions) {
    Query query = bench.query(PriorityClass.POINT, partitions, Integer.MAX_VALUE, 1);
    return preview(query, partitions, A);
  }

  @Test
  void an_idle_node_starts_a_read_at_once() {
    Preview preview = range(A);

    assertThat(preview.starts()).isTrue();
    assertThat(preview.waitNanos()).isZero();
    assertThat(preview.refusal()).isNull();
    assertThat(preview.node()).isEqualTo(A);
    assertThat(bench.submitRange(1_000, A).isWaiting()).isFalse();
  }

  @Test
  void the_predicted_work_is_that_of_the_queue() {
    assertThat(range(A).workMicros()).isEqualTo(Bench.work(1_000) / 1_000);

    bench.submitRange(1_000, A).finish(1_000, 3_000_000);
    double learned = range(A).workMicros();

    assertThat(learned).isNotEqualTo(Bench.work(1_000) / 1_000);
    bench.submitRange(1_000, A);
    assertThat(bench.state(A).backlogMicros() * bench.state(A).rate())
        .isCloseTo(learned, org.assertj.core.data.Offset.offset(0.01));
  }

  @Test
  void the_preview_names_the_replica_with_the_least_work() {
    bench.submitRange(1_000, A);

    assertThat(range(A, B).node()).isEqualTo(B);
    assertThat(bench.submitRange(1_000, A, B).node()).isEqualTo(B);
  }

  @Test
  void a_suspect_replica_is_not_chosen_and_an_unknown_one_has_no_preview() {
    bench.scheduler.standing(A, NodeStanding.SUSPECT);

    assertThat(range(A, B).node()).isEqualTo(B);
    assertThat(bench.scheduler.preview(bench.range(1), List.of(Bench.C), 1)).isNull();
  }

  @Test
  void a_read_of_many_partitions_takes_range_slots_when_their_number_is_adaptive() {
    bench = new Bench(Bench.remainingWork(0), SLOTS, A);

    assertThat(point(1).takesRangeSlots()).isFalse();
    assertThat(point(2).takesRangeSlots()).isFalse();
    assertThat(point(200).takesRangeSlots()).isTrue();
    assertThat(range(A).takesRangeSlots()).isTrue();
  }

  /** Submits 100 range reads and answers 39 of them, one every 200 ms. */
  private void overload() {
    for (int i = 0; i < 100; i++) {
      bench.submitRange(1_000, A);
    }
    for (int i = 0; i < 39; i++) {
      bench.time.advance(200 * MS);
      bench.started.get(i).finish(1_000, 300_000);
    }
  }

  @Test
  void the_predicted_wait_and_refusal_are_those_of_admission() {
    overload();
    bench.submitRange(1_000, A);
    bench.time.advance(201 * MS);

    Preview preview = range(A);

    assertThat(preview.starts()).isFalse();
    assertThat(preview.waitNanos()).isEqualTo(bench.ranges(A).expectedNanos()).isPositive();
    TestDemand refused = bench.submitRange(1_000, A);
    assertThat(refused.refused).isEqualTo(preview.refusal()).isNotNull();
  }

  @Test
  void a_point_read_starts_while_range_reads_wait() {
    overload();

    assertThat(point(1).starts()).isTrue();
    assertThat(point(1).refusal()).isNull();
  }

  @Test
  void in_observe_mode_every_read_starts() {
    bench = new Bench(Bench.config(Mode.OBSERVE, RangeOrder.REMAINING_WORK, true, 1), SLOTS, A);
    overload();

    assertThat(range(A).mode()).isEqualTo(Mode.OBSERVE);
    assertThat(range(A).starts()).isTrue();
    assertThat(range(A).refusal()).isNull();
  }

  @Test
  void a_preview_changes_nothing() {
    overload();
    String before = bench.scheduler.snapshot().toString();
    long tables = bench.scheduler.tableBytes();

    for (int i = 0; i < 100; i++) {
      range(A, B);
      point(200);
    }

    assertThat(bench.scheduler.snapshot()).hasToString(before);
    assertThat(bench.scheduler.tableBytes()).isEqualTo(tables);
  }
}
