package io.sluice.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.meter.ReadMeters.ReadTimes;
import java.time.Duration;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Tests the quantiles of recent durations. */
class RecentTimesTest {

  private static final Offset<Double> EXACT = Offset.offset(1e-9);

  private final Timer timer =
      Timer.builder("t")
          .serviceLevelObjectives(Duration.ofMillis(10), Duration.ofMillis(20))
          .register(new SimpleMeterRegistry());
  private final RecentTimes recent = new RecentTimes(timer);

  private void took(int reads, long millis) {
    for (int i = 0; i < reads; i++) {
      timer.record(Duration.ofMillis(millis));
    }
  }

  private ReadTimes times() {
    ReadTimes times = recent.times();
    assertThat(times).isNotNull();
    return times;
  }

  @Test
  void without_reads_there_are_no_times() {
    assertThat(recent.times()).isNull();
  }

  @Test
  void durations_are_interpolated_in_their_bucket() {
    took(50, 5);
    took(50, 15);
    assertThat(times().p50()).isEqualTo(10, EXACT);
    assertThat(times().p99()).isEqualTo(19.8, EXACT);
  }

  @Test
  void a_quantile_is_at_most_the_last_bound() {
    took(100, 500);
    assertThat(times().p50()).isEqualTo(20, EXACT);
  }

  @Test
  void durations_before_the_oldest_mark_are_forgotten() {
    took(1_000, 15);
    recent.mark();
    took(10, 5);
    assertThat(times().p99()).as("p99 of the last ten reads").isEqualTo(9.9, EXACT);
    for (int i = 0; i < RecentTimes.KEPT - 1; i++) {
      recent.mark();
    }
    assertThat(recent.times()).as("the first mark is still the oldest").isNotNull();
    recent.mark();
    assertThat(recent.times()).isNull();
  }
}
