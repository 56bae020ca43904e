package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import org.junit.jupiter.api.Test;

/** Tests the share of the wait of point reads that counts as caused by range reads. */
class WaitBehindRangesTest {

  private static final double EXACT = 1e-6;

  private static double millis(Bench bench) {
    return bench.state(A).behindRangesNanos() / MS;
  }

  @Test
  void a_wait_counts_in_proportion_to_the_range_reads_in_flight() {
    Bench bench = new Bench(Bench.remainingWork(1), 4, A);
    bench.submitRange(100, A);
    for (int i = 0; i < 3; i++) {
      bench.submitPoint(A);
    }
    bench.submitPoint(A);

    bench.time.advance(20 * MS);

    assertThat(bench.points(A).queued()).isEqualTo(1);
    assertThat(millis(bench)).isEqualTo(5, within(EXACT));
  }

  @Test
  void a_wait_counts_until_the_point_read_starts() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, A);
    TestDemand range = bench.submitRange(100, A);
    TestDemand point = bench.submitPoint(A);
    bench.time.advance(3 * MS);
    assertThat(millis(bench)).isEqualTo(3, within(EXACT));

    bench.time.advance(4 * MS);
    range.finish(100, 1_000);
    bench.time.advance(50 * MS);

    assertThat(point.starts).isEqualTo(1);
    assertThat(millis(bench)).isEqualTo(7, within(EXACT));
  }

  @Test
  void point_reads_that_wait_for_point_reads_are_not_behind_range_reads() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, A);
    bench.submitPoint(A);
    bench.submitPoint(A);
    bench.submitRange(100, A);
    bench.time.advance(20 * MS);
    assertThat(millis(bench)).isZero();
  }

  @Test
  void range_reads_that_wait_are_not_counted() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, A);
    bench.submitRange(100, A);
    bench.submitRange(100, A);
    bench.time.advance(20 * MS);
    assertThat(millis(bench)).isZero();
  }

  /**
   * Of six reads in flight, four wait for a thread: two thirds of both point reads. Two thirds of
   * the reads are range reads.
   */
  @Test
  void in_observe_mode_reads_wait_inside_the_node() {
    Bench bench = new Bench(Bench.config(Mode.OBSERVE, RangeOrder.FIFO, true, 1), 2, A);
    for (int i = 0; i < 4; i++) {
      bench.submitRange(100, A);
    }
    bench.submitPoint(A);
    bench.submitPoint(A);

    bench.time.advance(9 * MS);

    assertThat(bench.points(A).inFlight()).isEqualTo(2);
    assertThat(millis(bench)).isEqualTo(9 * 2 * (4 / 6.0) * (4 / 6.0), within(EXACT));
  }

  @Test
  void predicted_and_actual_work_are_summed() {
    Bench bench = new Bench(Bench.remainingWork(1), 2, A);
    TestDemand range = bench.submitRange(100, A);
    TestDemand lost = bench.submitPoint(A);
    bench.time.advance(5 * MS);

    range.finish(400, 40_000);
    lost.finishAbandoned();

    assertThat(bench.ranges(A).predictedNanos()).isEqualTo(range.predictedMicros() * 1_000);
    assertThat(bench.ranges(A).doneNanos())
        .isEqualTo(range.actualMicros() * 1_000)
        .isGreaterThan(bench.ranges(A).predictedNanos());
    assertThat(bench.points(A).predictedNanos()).isZero();
  }
}
