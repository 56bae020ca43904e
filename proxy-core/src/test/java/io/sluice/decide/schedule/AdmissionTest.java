package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.QueryFacts.Share;
import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests that admission refuses reads by the measured waits of others, never by estimated costs. */
class AdmissionTest {

  /**
   * Clients that filter a table without estimates, and clients of point reads, at a node with 4
   * slots.
   */
  private static final class Filtering {
    private static final int PIECES = 16;
    private static final double ROWS_GUESSED = 5000;
    private static final double PIECE_NANOS = 30.0 * MS;
    private static final double POINT_NANOS = 0.4 * MS;

    private final Bench bench = new Bench(SchedulingConfig.defaults(), 4, A);
    private final FakeNode node = new FakeNode(bench.time, 2);
    private final List<String> refusals = new ArrayList<>();
    private int answered;

    void run(int clients, long nanos) {
      for (int i = 0; i < clients; i++) {
        scan();
        point();
      }
      bench.time.runUntil(nanos);
    }

    private void scan() {
      Query query = bench.query(PriorityClass.RANGE, ROWS_GUESSED, Integer.MAX_VALUE, PIECES);
      int[] left = {PIECES};
      for (int i = 0; i < PIECES; i++) {
        TestDemand piece =
            new TestDemand(
                "scan", query, i, List.of(A), ROWS_GUESSED, demand -> read(demand, left));
        bench.scheduler.submit(piece);
        if (piece.refused != null) {
          refusals.add(piece.refused.message());
          bench.time.after(10 * MS, this::scan);
          return;
        }
      }
    }

    private void read(TestDemand piece, int[] left) {
      node.run(
          PIECE_NANOS,
          () -> {
            piece.finish(10, 9000);
            if (--left[0] == 0) {
              answered++;
              scan();
            }
          });
    }

    private void point() {
      Query query = bench.query(PriorityClass.POINT, 1, 1, 1);
      bench.scheduler.submit(
          new TestDemand(
              "point",
              query,
              0,
              List.of(A),
              1,
              demand ->
                  node.run(
                      POINT_NANOS,
                      () -> {
                        demand.finish(1, 900);
                        bench.time.after(3 * MS, this::point);
                      })));
    }
  }

  @Test
  void filters_that_return_less_than_estimated_are_not_refused() {
    Filtering load = new Filtering();

    load.run(8, 30_000 * MS);

    assertThat(load.refusals).isEmpty();
    assertThat(load.answered).isGreaterThan(50);
  }

  /** Submits a range read that is queued last. */
  private static TestDemand submitLast(Bench bench) {
    QueryFacts facts = bench.range(1000).facts();
    Query last = bench.scheduler.query(facts.with(new Share(bench.tenant, 0, true), 1));
    return bench.submit(last, 1000, A);
  }

  private static TestDemand submitNormal(Bench bench) {
    return bench.submitRange(1000, A);
  }

  /** Returns a bench with 100 range reads, 39 of them answered, one every 200 ms. */
  private static Bench overloaded() {
    return overloaded(AdmissionTest::submitNormal);
  }

  private static Bench overloaded(Consumer<Bench> submit) {
    Bench bench = new Bench(Bench.remainingWork(1), 4, A);
    for (int i = 0; i < 100; i++) {
      submit.accept(bench);
    }
    for (int i = 0; i < 39; i++) {
      bench.time.advance(200 * MS);
      bench.started.get(i).finish(1000, 300_000);
    }
    return bench;
  }

  @Test
  void a_refusal_names_the_measured_waits_and_the_settings_they_exceed() {
    Bench bench = overloaded();
    assertThat(bench.submitRange(1000, A).refused).isNull();
    bench.time.advance(201 * MS);

    Refusal refusal = Objects.requireNonNull(bench.submitRange(1000, A).refused);

    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.OVERLOADED);
    assertThat(refusal.message())
        .isEqualTo(
            "Range reads have to wait about 12406 ms for this node (61 wait), and have waited up to"
                + " 8001 ms, more than 8000 ms (scheduling.rangeBacklog 0.3 + scheduling.ageing"
                + " 0.5, of 10000 ms); send fewer at once, try again later, or raise"
                + " scheduling.rangeBacklog");
  }

  @Test
  void the_queue_of_one_tenant_does_not_refuse_range_reads_of_another() {
    Bench bench = overloaded();
    bench.time.advance(201 * MS);
    bench.tenant = "other";

    TestDemand first = bench.submitRange(1000, A);

    assertThat(first.refused).isNull();
    bench.started.get(39).finish(1000, 300_000);
    assertThat(first.starts).as("its turn is next").isEqualTo(1);
    bench.tenant = "tenant";
    assertThat(bench.submitRange(1000, A).refusals).isEqualTo(1);
  }

  @Test
  void a_tenant_may_queue_as_many_reads_as_each_other_tenant_has() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, A);
    bench.submitPoint(A);
    for (int i = 0; i < 5; i++) {
      bench.submitPoint(A);
    }
    bench.time.advance(2501 * MS);
    bench.tenant = "other";
    for (int i = 0; i < 5; i++) {
      assertThat(bench.submitPoint(A).refused).as("%d wait", i).isNull();
    }

    assertThat(bench.submitPoint(A).refusals).isEqualTo(1);
    bench.tenant = "third";
    assertThat(bench.submitPoint(A).refused).isNull();
  }

  @Test
  void reads_that_are_queued_last_do_not_cause_the_refusal_of_others() {
    Bench bench = overloaded(AdmissionTest::submitLast);
    bench.time.advance(201 * MS);

    TestDemand first = bench.submitRange(1000, A);
    TestDemand second = bench.submitRange(1000, A);

    assertThat(first.refused).isNull();
    assertThat(second.refused).isNull();
    assertThat(submitLast(bench).refusals).isEqualTo(1);
  }

  @Test
  void reads_that_are_queued_last_are_refused_when_others_make_them_wait() {
    Bench bench = new Bench(Bench.remainingWork(1), 4, A);
    bench.submitRange(1000, A);
    for (int i = 0; i < 5; i++) {
      submitLast(bench);
    }
    for (int i = 0; i < 41; i++) {
      bench.submitRange(1000, A);
      bench.time.advance(200 * MS);
      bench.started.get(i).finish(1000, 300_000);
    }

    assertThat(bench.started).as("the others go first").hasSize(42);
    assertThat(submitLast(bench).refusals).isEqualTo(1);
    assertThat(bench.submitRange(1000, A).refused).isNull();
  }

  @Test
  void the_oldest_read_counts_even_if_it_is_queued_last() {
    Bench bench = new Bench(Bench.remainingWork(1), 4, A);
    bench.submitRange(1000, A);
    submitLast(bench);
    bench.time.advance(MS);
    bench.submitRange(1000, A);
    bench.time.advance(MS);

    assertThat(bench.ranges(A).oldestNanos()).isEqualTo(2 * MS);
  }

  @Test
  void the_setting_that_a_refusal_names_raises_the_limit() {
    SchedulingConfig twice = Bench.backlogs(0.5, 0.6);
    Bench bench = new Bench(twice, 4, A);
    for (int i = 0; i < 100; i++) {
      bench.submitRange(1000, A);
    }

    bench.time.advance(8001 * MS);

    assertThat(bench.submitRange(1000, A).refused).isNull();
  }

  @Test
  void a_node_at_which_no_read_starts_refuses_reads() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, A);
    for (int i = 0; i < 5; i++) {
      bench.submitRange(10, A);
      bench.submitPoint(A);
    }

    bench.time.advance(2501 * MS);
    assertThat(bench.submitPoint(A).refusals).isEqualTo(1);
    assertThat(bench.submitRange(10, A).refused).isNull();
    bench.time.advance(5500 * MS);
    assertThat(bench.submitRange(10, A).refusals).isEqualTo(1);
  }

  @Test
  void the_expected_wait_is_compared_with_the_actual_wait() {
    Bench bench = overloaded();

    ClassState state = bench.ranges(A);

    assertThat(state.expectedNanos()).isEqualTo(61L * 200 * MS);
    assertThat(state.waitErrorNanos()).isPositive().isLessThanOrEqualTo(state.waitNanos());
    TestDemand next = bench.submitRange(1000, A);
    assertThat(next.isWaiting()).isTrue();
  }

  @Test
  void one_slot_is_kept_for_point_reads_for_any_setting() {
    Bench bench = new Bench(Bench.remainingWork(8), 4, A);
    for (int i = 0; i < 8; i++) {
      bench.submitRange(1000, A);
    }

    assertThat(bench.ranges(A).inFlight()).isEqualTo(3);
    assertThat(bench.submitPoint(A).starts).isEqualTo(1);
    assertThat(bench.submitPoint(A).isWaiting()).isTrue();
  }

  @Test
  void without_point_priority_range_reads_may_take_all_slots() {
    Bench bench = new Bench(Bench.config(RangeOrder.FIFO, false, 8), 4, A);
    for (int i = 0; i < 8; i++) {
      bench.submitRange(1000, A);
    }

    assertThat(bench.ranges(A).inFlight()).isEqualTo(4);
  }

  @Test
  void a_short_queue_behind_slow_reads_causes_no_refusal() {
    Bench bench = new Bench(Bench.remainingWork(2), 4, A);
    bench.submitRange(1000, A);
    bench.submitRange(1000, A);
    bench.submitRange(1000, A);

    bench.time.advance(9000 * MS);

    assertThat(bench.submitRange(1000, A).refused).isNull();
  }

  @Test
  void reads_of_a_table_that_was_slow_are_still_admitted() {
    Bench bench = new Bench(Bench.remainingWork(1), 4, A);
    for (int i = 0; i < 20; i++) {
      TestDemand slow = bench.submitRange(1, A);
      bench.time.advance(9900 * MS);
      slow.finish(1, 100);
    }
    bench.submitRange(1, A);
    TestDemand next = bench.submitRange(1, A);

    bench.started.get(20).finishAbandoned();

    assertThat(next.starts).isEqualTo(1);
  }

  /** Returns a node with default settings at which no read starts any more, and its full queue. */
  private static Bench stuck(Duration read, Duration range) {
    Bench bench = new Bench(SchedulingConfig.defaults(), 1, A);
    bench.scheduler.nodeTimeouts(read, range);
    for (int i = 0; i < 5; i++) {
      bench.submitRange(10, A);
      bench.submitPoint(A);
    }
    return bench;
  }

  @Test
  void reads_of_nodes_with_a_short_timeout_are_refused_before_it_has_passed() {
    Bench bench = stuck(Duration.ofSeconds(2), Duration.ofSeconds(3));

    bench.time.advance(1599 * MS);
    assertThat(bench.submitPoint(A).refused).isNull();
    bench.time.advance(2 * MS);
    assertThat(bench.submitPoint(A).refusals).isEqualTo(1);
    assertThat(bench.submitRange(10, A).refused).isNull();
    bench.time.advance(800 * MS);
    assertThat(bench.submitRange(10, A).refusals).isEqualTo(1);
  }

  @Test
  void reads_of_nodes_with_a_long_timeout_are_not_refused_earlier_than_by_the_nodes() {
    Bench bench = stuck(Duration.ofSeconds(20), Duration.ofSeconds(60));

    bench.time.advance(15_000 * MS);
    assertThat(bench.submitPoint(A).refused).isNull();
    assertThat(bench.submitRange(10, A).refused).isNull();
  }

  @Test
  void a_node_with_the_shortest_timeout_changes_the_settings_to_their_least() {
    Bench bench = stuck(Duration.ofMillis(1), Duration.ofMillis(1));

    bench.time.advance(200 * MS);
    assertThat(bench.submitPoint(A).refusals).isEqualTo(1);
  }

  /** Returns a node with default settings, two slots, and 100 scans, of which one runs. */
  private static Bench scans() {
    Bench bench = new Bench(Bench.sharing(SchedulingConfig.defaults(), 0), 2, A);
    for (int i = 0; i < 100; i++) {
      bench.submitRange(1_000_000, A);
    }
    return bench;
  }

  private static TestDemand submitLarge(Bench bench) {
    return bench.submit(bench.query(PriorityClass.POINT, 200, 200, 1), 200, A);
  }

  private static void answers(Bench bench, int first, int count) {
    for (int i = first; i < first + count; i++) {
      bench.time.advance(200 * MS);
      bench.started.get(i).finish(1000, 300_000);
    }
  }

  @Test
  void a_large_point_read_is_not_refused_because_others_may_pass_scans() {
    Bench bench = scans();
    answers(bench, 0, 21);

    TestDemand large = submitLarge(bench);

    assertThat(large.refused).isNull();
    answers(bench, 21, 1);
    assertThat(large.starts).as("it passes the scans").isEqualTo(1);
  }

  @Test
  void a_large_point_read_is_refused_where_scans_wait_longer_than_others_may_pass_them() {
    Bench bench = scans();
    answers(bench, 0, 45);
    assertThat(submitLarge(bench).refused).isNull();
    bench.time.advance(MS);

    Refusal refusal = Objects.requireNonNull(submitLarge(bench).refused);

    assertThat(refusal.message())
        .startsWith("Large point reads have to wait about ")
        .endsWith(
            " and have waited up to 9001 ms, more than 9000 ms (scheduling.pointBacklog 0.8, of"
                + " 5000 ms, + scheduling.ageing 0.5, of 10000 ms); send fewer at once, try again"
                + " later, or raise scheduling.pointBacklog");
  }

  @Test
  void a_large_point_read_is_refused_where_such_reads_wait_too_long() {
    Bench bench = new Bench(Bench.sharing(SchedulingConfig.defaults(), 0), 2, A);
    for (int i = 0; i < 100; i++) {
      submitLarge(bench);
    }
    bench.time.advance(3999 * MS);
    assertThat(submitLarge(bench).refused).isNull();
    bench.time.advance(2 * MS);
    assertThat(submitLarge(bench).refusals).isEqualTo(1);
  }
}
