package io.sluice.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.sluice.simulator.cluster.Outcome.ReadFigures;
import io.sluice.simulator.event.VirtualTime;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the figures of a simulation: which events count, when, and what is shown. */
class MeterTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final Read POINT = new Read(true, 0, 1);
  private static final Read RANGE = new Read(false, 0, 100);

  private final VirtualTime time = new VirtualTime();
  private final Meter meter = new Meter(time, SECOND, 3 * SECOND);

  private void answered(long at, Read read, long took) {
    time.runUntil(at);
    meter.answered(read, at - took, read.limit());
  }

  /**
   * Runs a meter with ten answers in each tenth of a second, and {@code fewer} in the tenths from
   * {@code from} to {@code to}.
   */
  private double backAfter(int from, int to, int fewer) {
    Meter counting = new Meter(time, 0, 3 * SECOND);
    counting.disturbedAt(SECOND);
    for (int step = 0; step < 30; step++) {
      time.runUntil(step * 100L * MILLI);
      for (int i = 0; i < (step >= from && step < to ? fewer : 10); i++) {
        counting.answered(POINT, time.nanoTime(), 1);
      }
    }
    return counting.backAfterSeconds();
  }

  @Test
  void without_a_drop_reads_are_back_at_once() {
    assertThat(backAfter(0, 0, 0)).isZero();
  }

  @ParameterizedTest
  @CsvSource({"10, 15, 8, 0.5", "10, 15, 9, 0", "14, 15, 0, 0.5", "10, 30, 8, Infinity"})
  void reads_are_back_once_nine_tenths_of_the_usual_number_are_answered(
      int from, int to, int fewer, double seconds) {
    assertThat(backAfter(from, to, fewer)).isEqualTo(seconds);
  }

  @Test
  void without_a_death_the_time_until_reads_are_back_is_zero() {
    assertThat(meter.backAfterSeconds()).isZero();
  }

  @Test
  void reads_that_end_outside_the_measured_time_do_not_count() {
    answered(SECOND - 1, POINT, MILLI);
    answered(SECOND, POINT, MILLI);
    answered(3 * SECOND - 1, POINT, MILLI);
    answered(3 * SECOND, POINT, MILLI);

    assertThat(meter.figures(true).count()).isEqualTo(2);
    assertThat(meter.figures(true).perSecond()).isEqualTo(1);
  }

  @Test
  void a_read_that_began_before_the_measured_time_counts_with_its_full_duration() {
    answered(SECOND, RANGE, SECOND / 2);

    assertThat(meter.figures(false).meanMs()).isCloseTo(500, withinPercentage(0.1));
  }

  @Test
  void point_reads_and_range_reads_are_counted_separately() {
    answered(SECOND, POINT, MILLI);
    answered(SECOND, RANGE, 10 * MILLI);
    answered(SECOND, RANGE, 20 * MILLI);

    assertThat(meter.figures(true).count()).isEqualTo(1);
    assertThat(meter.figures(true).maxMs()).isCloseTo(1, withinPercentage(0.1));
    assertThat(meter.figures(false).count()).isEqualTo(2);
    assertThat(meter.figures(false).meanMs()).isCloseTo(15, withinPercentage(0.1));
  }

  @Test
  void errors_are_counted_by_their_reason_in_the_measured_time() {
    meter.failed(POINT, Failure.TIMEOUT);
    time.runUntil(SECOND);
    meter.failed(POINT, Failure.TIMEOUT);
    meter.failed(POINT, Failure.TIMEOUT);
    meter.failed(POINT, Failure.OVERLOADED);
    meter.failed(RANGE, Failure.UNAVAILABLE);

    assertThat(meter.figures(true).failures())
        .isEqualTo(Map.of(Failure.TIMEOUT, 2L, Failure.OVERLOADED, 1L));
    assertThat(meter.figures(true).failed()).isEqualTo(3);
    assertThat(meter.figures(false).failures()).isEqualTo(Map.of(Failure.UNAVAILABLE, 1L));
  }

  @Test
  void without_an_answer_all_figures_are_zero() {
    ReadFigures none = meter.figures(true);

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

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void percentiles_are_those_of_all_samples_within_two_thousandths(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int count = 1001;
    double[] millis = new double[count];
    time.runUntil(SECOND);
    for (int i = 0; i < count; i++) {
      long nanos = (long) (MILLI * Math.exp(2 * random.nextGaussian()));
      millis[i] = Math.round(nanos / 1000.0) / 1000.0;
      meter.answered(RANGE, time.nanoTime() - nanos, 0);
    }
    Arrays.sort(millis);

    ReadFigures figures = meter.figures(false);

    assertThat(figures.p50Ms()).isCloseTo(millis[500], withinPercentage(0.2));
    assertThat(figures.p99Ms()).isCloseTo(millis[990], withinPercentage(0.2));
    assertThat(figures.maxMs()).isCloseTo(millis[1000], withinPercentage(0.2));
    assertThat(figures.meanMs())
        .isCloseTo(Arrays.stream(millis).average().orElseThrow(), withinPercentage(0.2));
  }
}
