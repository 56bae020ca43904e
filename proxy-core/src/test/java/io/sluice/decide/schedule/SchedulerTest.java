package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.B;
import static io.sluice.decide.schedule.Bench.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SchedulerTest {

  @Test
  void a_read_that_finds_a_free_slot_starts_at_once() {
    Bench bench = new Bench(Bench.remainingWork(1), 2, A);

    TestDemand range = bench.submitRange(100, A);
    TestDemand point = bench.submitPoint(A);

    assertThat(bench.started).containsExactly(range, point);
    assertThat(range.node()).isEqualTo(A);
  }

  @Test
  void range_reads_leave_slots_for_point_reads() {
    Bench bench = new Bench(Bench.remainingWork(1), 3, A);
    bench.submitRange(100, A);
    TestDemand waiting = bench.submitRange(100, A);

    bench.submitPoint(A);
    bench.submitPoint(A);
    TestDemand late = bench.submitPoint(A);

    assertThat(bench.ranges(A).inFlight()).isEqualTo(1);
    assertThat(bench.points(A).inFlight()).isEqualTo(2);
    assertThat(waiting.isWaiting()).isTrue();
    assertThat(late.isWaiting()).isTrue();
  }

  @Test
  void a_freed_slot_goes_to_the_read_with_the_least_remaining_work() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, A);
    TestDemand first = bench.submitRange(10, A);
    TestDemand wide = bench.submitRange(1000, A);
    TestDemand narrow = bench.submitRange(10, A);

    first.finish(10, 1000);
    narrow.finish(10, 1000);

    assertThat(bench.started).containsExactly(first, narrow, wide);
  }

  @Test
  void less_remaining_work_moves_all_demands_of_a_query_forward() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, A, B);
    TestDemand busyA = bench.submitRange(10, A);
    TestDemand busyB = bench.submitRange(10, B);
    Query wide = bench.range(2000);
    TestDemand wideA = bench.submit(wide, 1000, A);
    TestDemand wideB = bench.submit(wide, 1000, B);
    TestDemand narrowA = bench.submitRange(500, A);
    TestDemand narrowB = bench.submitRange(500, B);

    bench.scheduler.remaining(wide, 200);
    busyA.finishAbandoned();
    busyB.finishAbandoned();

    assertThat(List.of(wideA.starts, wideB.starts)).containsExactly(1, 1);
    assertThat(narrowA.isWaiting() && narrowB.isWaiting()).isTrue();
  }

  @Test
  void remaining_work_never_rises() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, A);
    Query query = bench.range(1000);

    bench.scheduler.remaining(query, 100);
    bench.scheduler.remaining(query, 5000);
    bench.scheduler.remaining(query, Double.NaN);

    assertThat(query.remainingMicros()).isEqualTo(100);
    bench.scheduler.remaining(query, -7);
    assertThat(query.remainingMicros()).isZero();
  }

  @Test
  void a_cancelled_demand_is_not_started_and_the_next_one_starts() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, A);
    TestDemand first = bench.submitRange(10, A);
    TestDemand gone = bench.submitRange(10, A);
    TestDemand next = bench.submitRange(10, A);

    assertThat(bench.scheduler.cancel(gone)).isTrue();
    assertThat(bench.scheduler.cancel(gone)).isFalse();
    assertThat(bench.scheduler.cancel(first)).isFalse();
    first.finish(10, 1000);

    assertThat(bench.started).containsExactly(first, next);
    assertThat(bench.ranges(A).cancelled()).isEqualTo(1);
  }

  @Test
  void a_permit_ends_once() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, A);
    TestDemand demand = bench.submitRange(10, A);
    demand.finish(10, 1000);

    assertThatThrownBy(() -> demand.finish(10, 1000)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(demand::finishAbandoned).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(demand::finishOverloaded).isInstanceOf(IllegalStateException.class);
    assertThat(bench.ranges(A).inFlight()).isZero();
  }

  @Test
  void a_demand_that_has_not_started_has_no_permit() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, A);
    TestDemand fresh = bench.demand(bench.range(10), 10, A);
    bench.submitRange(10, A);
    TestDemand waiting = bench.submitRange(10, A);

    assertThatThrownBy(fresh::finishAbandoned).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(fresh::node).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(waiting::finishAbandoned).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_demand_is_submitted_once() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, A);
    TestDemand demand = bench.submitRange(10, A);

    assertThatThrownBy(() -> bench.scheduler.submit(demand))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_retry_keeps_the_place_of_its_query_in_the_queue() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, A, B);
    Query query = bench.range(10);
    TestDemand failed = bench.submit(query, 10, A);
    TestDemand busy = bench.submitRange(10, B);
    bench.time.advance(MS);
    TestDemand later = bench.submitRange(10, B);

    failed.finishAbandoned();
    TestDemand retry = bench.submit(query, 10, B);
    busy.finishAbandoned();

    assertThat(retry.starts).isEqualTo(1);
    assertThat(later.isWaiting()).isTrue();
  }

  @Test
  void a_demand_that_misses_its_deadline_is_refused_with_its_siblings() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, A, B);
    TestDemand busyA = bench.submitRange(10, A);
    bench.submitRange(10, B);
    Query query = bench.range(200);
    TestDemand here = bench.submit(query, 100, A);
    TestDemand sibling = bench.submit(query, 100, B);

    bench.time.advance(10_000 * MS);
    busyA.finishAbandoned();

    assertThat(Objects.requireNonNull(here.refused).reason()).isEqualTo(Refusal.Reason.DEADLINE);
    assertThat(sibling.refusals).isEqualTo(1);
    assertThat(here.starts + sibling.starts).isZero();
    assertThat(bench.ranges(A).expired()).isEqualTo(1);
    assertThat(bench.ranges(B).cancelled()).isEqualTo(1);
  }

  @Test
  void an_idle_node_admits_a_huge_scan() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, A);

    TestDemand huge = bench.submitRange(1e9, A);
    TestDemand next = bench.submitRange(1e9, A);

    assertThat(huge.starts).isEqualTo(1);
    assertThat(next.isWaiting()).isTrue();
  }

  @Test
  void a_node_whose_reads_serve_two_demands_has_twice_the_rate() {
    assertThat(rate(true)).isCloseTo(2 * rate(false), withinPercentage(1));
  }

  /** Returns the estimated rate of a node after many consecutive reads. */
  private static double rate(boolean forTwo) {
    Bench bench = new Bench(Bench.remainingWork(1), 4, A);
    double rows = 10_000;
    bench.submitRange(rows, A);
    for (int i = 0; i < 200; i++) {
      bench.submitRange(rows, A);
      TestDemand running = bench.started.get(i);
      if (forTwo) {
        TestDemand other = bench.submitRange(rows, A);
        assertThat(bench.scheduler.cancel(other)).isTrue();
        running.answersFor(other);
      }
      bench.time.advance((long) Bench.work(rows));
      running.finish((long) rows, 0);
    }
    return bench.state(A).rate();
  }

  @Test
  void costly_reads_cause_no_refusal_before_any_read_has_waited_too_long() {
    Bench bench = new Bench(Bench.remainingWork(1), 4, A);
    for (int i = 0; i < 1000; i++) {
      bench.submitRange(1_000_000, A);
    }
    bench.time.advance(7000 * MS);

    assertThat(bench.submitRange(10, A).refused).isNull();
    assertThat(bench.submitPoint(A).starts).isEqualTo(1);
    assertThat(bench.ranges(A).shed()).isZero();
  }

  @Test
  void a_backlog_above_the_limit_causes_refusals_once_reads_have_waited_too_long() {
    Bench bench = new Bench(Bench.remainingWork(1), 4, A);
    double rows = 100_000;
    TestDemand running = bench.submitRange(rows, A);
    int fits = (int) (2 * 3000 * MS / Bench.work(rows));
    for (int i = 0; i < fits; i++) {
      assertThat(bench.submitRange(rows, A).refused).isNull();
    }

    bench.time.advance(7900 * MS);
    running.finishAbandoned();
    assertThat(bench.submitRange(rows, A).refused).isNull();
    bench.time.advance(200 * MS);
    bench.started.get(1).finishAbandoned();
    assertThat(bench.submitRange(rows, A).refusals).isEqualTo(1);

    while (bench.ranges(A).queued() > 0) {
      bench.started.get(bench.started.size() - 1).finishAbandoned();
    }
    bench.submitRange(rows, A);
    assertThat(bench.submitRange(rows, A).refused).isNull();
  }

  @Test
  void no_demand_of_an_admitted_query_is_refused_for_the_backlog() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, A);
    Query early = bench.range(1e9);
    bench.submit(early, 10, A);
    for (int i = 0; i < 40; i++) {
      bench.submitRange(1_000_000, A);
    }
    bench.time.advance(8001 * MS);

    assertThat(bench.submitRange(10, A).refusals).isEqualTo(1);
    assertThat(bench.submit(early, 10, A).isWaiting()).isTrue();
  }

  @Test
  void an_overloaded_response_halves_the_range_slots() {
    Bench bench = new Bench(Bench.remainingWork(0), 32, A);
    TestDemand demand = bench.submitRange(10, A);
    assertThat(bench.state(A).rangeSlots()).isEqualTo(8);

    demand.finishOverloaded();

    assertThat(bench.state(A).rangeSlots()).isEqualTo(4);
    assertThat(bench.ranges(A).overloaded()).isEqualTo(1);
  }

  @Test
  void a_demand_that_finishes_while_it_starts_does_not_nest_calls() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, A);
    TestDemand first = bench.submitPoint(A);
    int[] depth = {0, 0};
    for (int i = 0; i < 10_000; i++) {
      Query query = bench.query(PriorityClass.POINT, 1, 1, 1);
      bench.scheduler.submit(
          new TestDemand("d", query, 0, List.of(A), 1, demand -> finishCounting(demand, depth)));
    }

    first.finishAbandoned();

    assertThat(depth[1]).isEqualTo(1);
    assertThat(bench.points(A).dispatched()).isEqualTo(10_001);
    assertThat(bench.points(A).inFlight()).isZero();
  }

  @Test
  void a_demand_that_throws_while_it_starts_does_not_affect_others() {
    Bench bench = new Bench(Bench.remainingWork(1), 2, A);
    TestDemand first = bench.submitRange(10, A);
    TestDemand broken =
        new TestDemand(
            "broken",
            bench.range(10),
            0,
            List.of(A),
            10,
            demand -> {
              throw new UnsupportedOperationException("broken");
            });
    bench.scheduler.submit(broken);

    assertThatThrownBy(first::finishAbandoned).isInstanceOf(UnsupportedOperationException.class);

    assertThat(bench.submitPoint(A).starts).isEqualTo(1);
  }

  private static void finishCounting(TestDemand demand, int[] depth) {
    depth[1] = Math.max(depth[1], ++depth[0]);
    demand.finishAbandoned();
    depth[0]--;
  }
}
