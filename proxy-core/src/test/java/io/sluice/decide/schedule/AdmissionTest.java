package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests that admission refuses reads by the measured waits of others, never by estimated costs. */
class AdmissionTest {

  /** Clients that filter a table without estimates, beside point reads, at a node of 4 reads. */
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
  void filters_that_return_less_than_was_guessed_are_all_answered() {
    Filtering load = new Filtering();

    load.run(8, 30_000 * MS);

    assertThat(load.refusals).isEmpty();
    assertThat(load.answered).isGreaterThan(50);
  }

  /** A node that answers one range read in 200 ms. */
  private static Bench overloaded() {
    Bench bench = new Bench(Bench.remainingWork(1), 4, A);
    for (int i = 0; i < 100; i++) {
      bench.submitRange(1000, A);
    }
    for (int i = 0; i < 39; i++) {
      bench.time.advance(200 * MS);
      bench.started.get(i).finish(1000, 300_000);
    }
    return bench;
  }

  @Test
  void a_refusal_says_what_was_measured_and_which_settings_it_was_held_against() {
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
  void the_setting_that_a_refusal_names_changes_it() {
    SchedulingConfig twice = Bench.backlogs(0.5, 0.6);
    Bench bench = new Bench(twice, 4, A);
    for (int i = 0; i < 100; i++) {
      bench.submitRange(1000, A);
    }

    bench.time.advance(8001 * MS);

    assertThat(bench.submitRange(1000, A).refused).isNull();
  }

  @Test
  void a_node_at_which_nothing_starts_any_more_refuses_reads_as_well() {
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
  void what_was_expected_is_held_against_what_was_waited() {
    Bench bench = overloaded();

    ClassState state = bench.ranges(A);

    assertThat(state.expectedNanos()).isEqualTo(61L * 200 * MS);
    assertThat(state.waitErrorNanos()).isPositive().isLessThanOrEqualTo(state.waitNanos());
    TestDemand next = bench.submitRange(1000, A);
    assertThat(next.isWaiting()).isTrue();
  }

  @Test
  void one_slot_is_left_to_point_reads_whatever_the_setting_says() {
    Bench bench = new Bench(Bench.remainingWork(8), 4, A);
    for (int i = 0; i < 8; i++) {
      bench.submitRange(1000, A);
    }

    assertThat(bench.ranges(A).inFlight()).isEqualTo(3);
    assertThat(bench.submitPoint(A).starts).isEqualTo(1);
    assertThat(bench.submitPoint(A).isWaiting()).isTrue();
  }

  @Test
  void where_nothing_goes_first_range_reads_have_all_slots() {
    Bench bench = new Bench(Bench.config(RangeOrder.FIFO, false, 8), 4, A);
    for (int i = 0; i < 8; i++) {
      bench.submitRange(1000, A);
    }

    assertThat(bench.ranges(A).inFlight()).isEqualTo(4);
  }

  @Test
  void a_short_queue_behind_slow_reads_refuses_nothing() {
    Bench bench = new Bench(Bench.remainingWork(2), 4, A);
    bench.submitRange(1000, A);
    bench.submitRange(1000, A);
    bench.submitRange(1000, A);

    bench.time.advance(9000 * MS);

    assertThat(bench.submitRange(1000, A).refused).isNull();
  }

  @Test
  void a_table_whose_reads_were_slow_once_is_still_read() {
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
}
