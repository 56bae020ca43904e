package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.B;
import static io.sluice.decide.schedule.Bench.C;
import static io.sluice.decide.schedule.Bench.MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import io.sluice.ring.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the choice of a demand's replica, and the effect of the settings. */
class SchedulerChoicesTest {

  @Test
  void a_demand_goes_to_the_replica_with_the_least_work() {
    Bench bench = new Bench(Bench.remainingWork(4), 4, A, B, C);
    bench.submitRange(1000, A);
    bench.submitRange(100, B);

    assertThat(bench.submitRange(10, A, B, C).node()).isEqualTo(C);
    assertThat(bench.submitRange(10, A, B).node()).isEqualTo(B);
  }

  @Test
  void among_equal_replicas_the_preferred_one_is_chosen() {
    Bench bench = new Bench(Bench.remainingWork(4), 4, A, B, C);

    assertThat(bench.submitPoint(B, A, C).node()).isEqualTo(B);
  }

  @Test
  void a_demand_moves_to_a_replica_with_half_the_work_before_it_starts() {
    Bench bench = new Bench(Bench.remainingWork(2), 3, A, B);
    TestDemand long1 = bench.submitRange(5000, A);
    bench.submitRange(5000, A);
    TestDemand busyB = bench.submitRange(20_000, B);
    TestDemand other = bench.submitRange(10, A, B);
    assertThat(other.isWaiting()).isTrue();

    bench.time.advance(MS);
    busyB.finishAbandoned();
    long1.finishAbandoned();

    assertThat(other.starts).isEqualTo(1);
    assertThat(other.node()).isEqualTo(B);
    assertThat(bench.ranges(A).moved()).isEqualTo(1);
  }

  @Test
  void a_suspect_node_gets_no_demand_while_another_replica_is_available() {
    Bench bench = new Bench(Bench.remainingWork(4), 4, A, B);

    bench.scheduler.standing(A, NodeStanding.SUSPECT);

    assertThat(bench.submitPoint(A, B).node()).isEqualTo(B);
    assertThat(bench.submitPoint(A).node()).isEqualTo(A);
    bench.scheduler.standing(A, NodeStanding.NORMAL);
    bench.submitRange(1000, B);
    assertThat(bench.submitPoint(B, A).node()).isEqualTo(A);
  }

  @Test
  void an_avoided_node_is_preferred_only_to_a_suspect_one() {
    Bench bench = new Bench(Bench.remainingWork(4), 4, A, B);

    bench.scheduler.standing(A, NodeStanding.AVOIDED);

    bench.submitRange(100_000, B);
    assertThat(bench.submitPoint(A, B).node()).isEqualTo(B);
    assertThat(bench.submitPoint(A).node()).isEqualTo(A);
    bench.scheduler.standing(B, NodeStanding.SUSPECT);
    assertThat(bench.submitPoint(B, A).node()).isEqualTo(A);
  }

  @Test
  void demands_queued_at_an_avoided_node_move_to_a_normal_one() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, A, B);
    bench.submitRange(10, A);
    bench.submitRange(100, B);
    bench.submitRange(10, A, B);
    bench.scheduler.standing(B, NodeStanding.SUSPECT);

    bench.scheduler.standing(A, NodeStanding.AVOIDED);
    assertThat(bench.ranges(A).queued()).as("the other replica is suspect").isEqualTo(1);
    bench.scheduler.standing(B, NodeStanding.NORMAL);
    bench.scheduler.standing(A, NodeStanding.NORMAL);
    bench.scheduler.standing(A, NodeStanding.AVOIDED);

    assertThat(bench.ranges(A).queued()).isZero();
    assertThat(bench.ranges(B).queued()).isEqualTo(1);
  }

  /** Here the second change comes while the first one still moves reads. */
  @Test
  void a_witness_receives_the_standings_of_a_node_in_the_order_of_their_changes() {
    List<NodeStanding> witnessed = new ArrayList<>();
    SchedulerWitness witness =
        new SchedulerWitness() {
          @Override
          public void standing(NodeId node, NodeStanding standing, long at) {
            witnessed.add(standing);
          }
        };
    Bench bench = new Bench(Bench.remainingWork(1), witness, 1, A, B);
    bench.submitRange(10, A);
    TestDemand elsewhere = bench.submitRange(100, B);
    TestDemand moving =
        new TestDemand(
            "moving",
            bench.range(10),
            0,
            List.of(A, B),
            10,
            started -> bench.scheduler.standing(A, NodeStanding.NORMAL));
    bench.scheduler.submit(moving);
    elsewhere.finishAbandoned();
    assertThat(moving.isWaiting()).isTrue();

    bench.scheduler.standing(A, NodeStanding.SUSPECT);

    assertThat(moving.starts).isEqualTo(1);
    assertThat(witnessed).containsExactly(NodeStanding.SUSPECT, NodeStanding.NORMAL);
  }

  @ParameterizedTest
  @EnumSource(
      value = NodeStanding.class,
      names = {"NORMAL", "AVOIDED"})
  void demands_queued_at_a_suspect_node_move_when_another_replica_returns(NodeStanding better) {
    Bench bench = new Bench(Bench.remainingWork(1), 1, A, B);
    bench.submitRange(100, A);
    bench.submitRange(10, B);
    bench.scheduler.standing(A, NodeStanding.SUSPECT);
    bench.scheduler.standing(B, NodeStanding.SUSPECT);
    bench.submitRange(10, A, B);
    bench.submitRange(10, B);
    assertThat(bench.ranges(B).queued()).isEqualTo(2);

    bench.scheduler.standing(A, better);

    assertThat(bench.ranges(A).queued()).isEqualTo(1);
    assertThat(bench.ranges(B).queued()).as("the read without another replica").isEqualTo(1);
  }

  @Test
  void demands_queued_at_a_suspect_node_move_to_a_replica_that_is_added() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, B);
    bench.scheduler.standing(B, NodeStanding.SUSPECT);
    bench.submitRange(10, B);
    TestDemand waits = bench.submitRange(10, A, B);

    bench.scheduler.nodes(List.of(new NodeLimits(A, 1), new NodeLimits(B, 1)));

    assertThat(waits.starts).isEqualTo(1);
    assertThat(waits.node()).isEqualTo(A);
  }

  @Test
  void demands_queued_at_a_suspect_node_move_if_they_have_another_replica() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, A, B);
    bench.submitRange(10, A);
    bench.submitRange(100, B);
    TestDemand only = bench.submitRange(10, A);
    TestDemand both = bench.submitRange(10, A, B);

    bench.scheduler.standing(A, NodeStanding.SUSPECT);

    assertThat(bench.ranges(A).queued()).isEqualTo(1);
    assertThat(bench.ranges(B).queued()).isEqualTo(1);
    assertThat(bench.scheduler.cancel(only)).isTrue();
    assertThat(bench.scheduler.cancel(both)).isTrue();
    assertThat(bench.ranges(B).cancelled()).isEqualTo(1);
  }

  @Test
  void demands_queued_at_a_node_that_left_move_or_are_refused() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, A, B);
    TestDemand running = bench.submitRange(10, A);
    TestDemand only = bench.submitRange(10, A);
    TestDemand busyB = bench.submitRange(100, B);
    TestDemand both = bench.submitRange(10, A, B);

    bench.scheduler.nodes(List.of(new NodeLimits(B, 1)));
    running.finishAbandoned();
    busyB.finishAbandoned();

    assertThat(Objects.requireNonNull(only.refused).reason()).isEqualTo(Refusal.Reason.UNAVAILABLE);
    assertThat(both.node()).isEqualTo(B);
  }

  @Test
  void without_a_known_replica_a_demand_is_refused() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, A);

    TestDemand demand = bench.submitPoint(B);

    assertThat(demand.starts).isZero();
    assertThat(Objects.requireNonNull(demand.refused).reason())
        .isEqualTo(Refusal.Reason.UNAVAILABLE);
  }

  @Test
  void a_node_with_more_slots_starts_more_demands_at_once() {
    Bench bench = new Bench(Bench.remainingWork(8), 1, A);
    bench.submitPoint(A);
    TestDemand waiting = bench.submitPoint(A);

    bench.scheduler.nodes(List.of(new NodeLimits(A, 2)));

    assertThat(waiting.starts).isEqualTo(1);
  }

  @Test
  void fifo_starts_range_reads_in_order_of_arrival_after_point_reads() {
    Bench bench = new Bench(Bench.config(RangeOrder.FIFO, true, 1), 1, A);
    TestDemand first = bench.submitRange(10, A);
    TestDemand wide = bench.submitRange(1000, A);
    TestDemand narrow = bench.submitRange(10, A);
    TestDemand point = bench.submitPoint(A);

    runAll(bench);

    assertThat(bench.started).containsExactly(first, point, wide, narrow);
  }

  @Test
  void narrow_first_prefers_fewer_sub_requests_and_then_the_smaller_limit() {
    Bench bench = new Bench(Bench.config(RangeOrder.NARROW_FIRST, true, 1), 1, A);
    TestDemand first = bench.submitRange(10, A);
    TestDemand wide = bench.submit(bench.query(PriorityClass.RANGE, 10, 5, 3), 10, A);
    TestDemand large = bench.submit(bench.query(PriorityClass.RANGE, 10, 500, 1), 10, A);
    TestDemand small = bench.submit(bench.query(PriorityClass.RANGE, 10, 100, 1), 10, A);
    TestDemand point = bench.submitPoint(A);

    runAll(bench);

    assertThat(bench.started).containsExactly(first, point, small, large, wide);
  }

  @Test
  void without_point_priority_no_read_passes_the_head_of_the_queue() {
    Bench bench = new Bench(Bench.config(RangeOrder.FIFO, false, 1), 4, A);
    TestDemand first = bench.submitRange(10, A);
    TestDemand second = bench.submitRange(10, A);
    bench.time.advance(1);
    TestDemand point = bench.submitPoint(A);
    assertThat(bench.started).containsExactly(first);

    first.finishAbandoned();

    assertThat(bench.started).containsExactly(first, second, point);
  }

  @Test
  void without_point_priority_cancelling_the_head_starts_the_next_read() {
    Bench bench = new Bench(Bench.config(RangeOrder.FIFO, false, 1), 4, A);
    bench.submitRange(10, A);
    TestDemand second = bench.submitRange(10, A);
    bench.time.advance(1);
    TestDemand point = bench.submitPoint(A);

    bench.scheduler.cancel(second);

    assertThat(point.starts).isEqualTo(1);
  }

  @Test
  void observe_mode_queues_nothing_but_counts_reads() {
    Bench bench =
        new Bench(Bench.config(Mode.OBSERVE, RangeOrder.REMAINING_WORK, true, 1), 1, A, B);

    for (int i = 0; i < 50; i++) {
      bench.submitRange(100_000, A);
    }

    assertThat(bench.ranges(A).inFlight()).isEqualTo(50);
    assertThat(bench.ranges(A).queued()).isZero();
    assertThat(bench.submitPoint(A, B).node()).isEqualTo(B);
  }

  @Test
  void passthrough_mode_takes_the_first_replica_that_is_not_suspect() {
    Bench bench =
        new Bench(Bench.config(Mode.PASSTHROUGH, RangeOrder.REMAINING_WORK, true, 1), 1, A, B);
    for (int i = 0; i < 50; i++) {
      assertThat(bench.submitRange(100_000, A, B).node()).isEqualTo(A);
    }

    bench.scheduler.standing(A, NodeStanding.SUSPECT);

    assertThat(bench.submitRange(100_000, A, B).node()).isEqualTo(B);
  }

  private static void runAll(Bench bench) {
    for (int i = 0; i < bench.started.size(); i++) {
      bench.started.get(i).finishAbandoned();
    }
  }
}
