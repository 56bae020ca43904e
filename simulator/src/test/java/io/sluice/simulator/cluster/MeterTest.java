package io.sluice.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.sluice.simulator.cluster.Outcome.ReadFigures;
import io.sluice.simulator.event.VirtualTime;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the figures of a simulation: which events count, when, and what is shown. */
class MeterTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final Read POINT = new Read(true, 0, 1);
  private static final Read RANGE = new Read(false, 0, 100);

  private final VirtualTime time = new VirtualTime();
  private final Meter meter = new Meter(time, SECOND, 3 * SECOND, 0);

  private void answered(long at, Read read, long took) {
    time.runUntil(at);
    meter.answered(read, at - took, read.limit());
  }

  @Test
  void the_recovery_is_that_of_the_answers_of_both_kinds_in_the_measured_time() {
    answered(SECOND - 1, POINT, MILLI);
    answered(SECOND, POINT, MILLI);
    meter.disturbedAt(SECOND + 100 * MILLI);
    answered(SECOND + 200 * MILLI, RANGE, MILLI);
    for (int step = 3; step < 20; step++) {
      answered(SECOND + step * 100L * MILLI, POINT, MILLI);
    }

    assertThat(meter.backAfterSeconds()).isEqualTo(0.1);
  }

  @Test
  void reads_that_end_outside_the_measured_time_do_not_count() {
    answered(SECOND - 1, POINT, MILLI);
    answered(SECOND, POINT, MILLI);
    answered(3 * SECOND - 1, POINT, MILLI);
    answered(3 * SECOND, POINT, MILLI);

    assertThat(meter.points().count()).isEqualTo(2);
    assertThat(meter.points().perSecond()).isEqualTo(1);
  }

  @Test
  void a_read_that_began_before_the_measured_time_counts_with_its_full_duration() {
    answered(SECOND, RANGE, SECOND / 2);

    assertThat(meter.ranges().meanMs()).isCloseTo(500, withinPercentage(0.1));
  }

  @Test
  void point_reads_and_range_reads_are_counted_separately() {
    answered(SECOND, POINT, MILLI);
    answered(SECOND, RANGE, 10 * MILLI);
    answered(SECOND, RANGE, 20 * MILLI);

    assertThat(meter.points().count()).isEqualTo(1);
    assertThat(meter.points().maxMs()).isCloseTo(1, withinPercentage(0.1));
    assertThat(meter.ranges().count()).isEqualTo(2);
    assertThat(meter.ranges().meanMs()).isCloseTo(15, withinPercentage(0.1));
  }

  @Test
  void range_reads_up_to_the_limit_of_small_ones_are_counted_apart() {
    Meter apart = new Meter(time, 0, SECOND, RANGE.limit());
    time.runUntil(MILLI);
    apart.answered(POINT, 0, 1);
    apart.answered(RANGE, 0, RANGE.limit());
    apart.answered(new Read(false, 0, RANGE.limit() + 1), 0, 1);
    apart.failed(RANGE, Failure.TIMEOUT);

    assertThat(apart.points().count()).isEqualTo(1);
    assertThat(apart.smallRanges().count()).isEqualTo(1);
    assertThat(apart.smallRanges().failed()).isEqualTo(1);
    assertThat(apart.ranges().count()).isEqualTo(1);
  }

  @Test
  void errors_are_counted_by_their_reason_in_the_measured_time() {
    meter.failed(POINT, Failure.TIMEOUT);
    time.runUntil(SECOND);
    meter.failed(POINT, Failure.TIMEOUT);
    meter.failed(POINT, Failure.TIMEOUT);
    meter.failed(POINT, Failure.OVERLOADED);
    meter.failed(RANGE, Failure.UNAVAILABLE);

    assertThat(meter.points().failures())
        .isEqualTo(Map.of(Failure.TIMEOUT, 2L, Failure.OVERLOADED, 1L));
    assertThat(meter.points().failed()).isEqualTo(3);
    assertThat(meter.ranges().failures()).isEqualTo(Map.of(Failure.UNAVAILABLE, 1L));
  }

  @Test
  void without_an_answer_all_figures_are_zero() {
    ReadFigures none = meter.points();

    assertThat(none).isEqualTo(new ReadFigures(0, 0, 0, 0, 0, 0, Map.of()));
    assertThat(meter.overFetch()).isZero();
  }

  @Test
  void over_fetch_is_the_surplus_of_rows_read_over_the_rows_returned() {
    time.runUntil(SECOND);
    meter.rowsRead(150);
    answered(SECOND, RANGE, MILLI);

    assertThat(meter.overFetch()).isEqualTo(0.5);
  }

  @Test
  void rows_of_point_reads_do_not_count_as_over_fetch() {
    time.runUntil(SECOND);
    meter.rowsRead(100);
    answered(SECOND, RANGE, MILLI);
    answered(SECOND, POINT, MILLI);

    assertThat(meter.overFetch()).isZero();
  }

  @Test
  void rows_read_during_warm_up_do_not_count_as_over_fetch() {
    meter.rowsRead(1000);
    time.runUntil(SECOND);
    meter.rowsRead(100);
    answered(SECOND, RANGE, MILLI);

    assertThat(meter.overFetch()).isZero();
  }

  @Test
  void sub_requests_and_late_overtakes_are_counted_from_the_beginning() {
    meter.subRequest();
    meter.lateOvertake();
    time.runUntil(SECOND);
    meter.subRequest();

    assertThat(meter.subRequests()).isEqualTo(2);
    assertThat(meter.lateOvertakes()).isEqualTo(1);
  }
}
