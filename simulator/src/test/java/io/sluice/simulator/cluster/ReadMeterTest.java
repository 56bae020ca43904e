package io.sluice.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.sluice.simulator.cluster.Outcome.ReadFigures;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadMeterTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  private final ReadMeter meter = new ReadMeter();

  @Test
  void the_rate_is_that_of_the_answers_over_the_measured_time() {
    meter.answered(MILLI);
    meter.answered(2 * MILLI);
    meter.answered(3 * MILLI);
    meter.failed(Failure.TIMEOUT);

    ReadFigures figures = meter.figures(2 * SECOND);

    assertThat(figures.count()).isEqualTo(3);
    assertThat(figures.perSecond()).isEqualTo(1.5);
    assertThat(figures.failures()).isEqualTo(Map.of(Failure.TIMEOUT, 1L));
  }

  @Test
  void failures_are_counted_by_their_reason() {
    meter.failed(Failure.TIMEOUT);
    meter.failed(Failure.OVERLOADED);
    meter.failed(Failure.TIMEOUT);

    assertThat(meter.figures(SECOND).failures())
        .isEqualTo(Map.of(Failure.TIMEOUT, 2L, Failure.OVERLOADED, 1L));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void percentiles_are_those_of_all_samples_within_two_thousandths(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int count = 1001;
    double[] millis = new double[count];
    for (int i = 0; i < count; i++) {
      long nanos = (long) (MILLI * Math.exp(2 * random.nextGaussian()));
      millis[i] = Math.round(nanos / 1000.0) / 1000.0;
      meter.answered(nanos);
    }
    Arrays.sort(millis);

    ReadFigures figures = meter.figures(SECOND);

    assertThat(figures.p50Ms()).isCloseTo(millis[500], withinPercentage(0.2));
    assertThat(figures.p99Ms()).isCloseTo(millis[990], withinPercentage(0.2));
    assertThat(figures.maxMs()).isCloseTo(millis[1000], withinPercentage(0.2));
    assertThat(figures.meanMs())
        .isCloseTo(Arrays.stream(millis).average().orElseThrow(), withinPercentage(0.2));
  }
}
