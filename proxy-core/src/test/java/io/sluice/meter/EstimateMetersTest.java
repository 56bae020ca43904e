package io.sluice.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class EstimateMetersTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final EstimateMeters meters = new EstimateMeters(registry);

  @Test
  void the_actual_row_count_is_compared_with_the_estimate() {
    meters.learned(99, 199);
    meters.learned(0, 0);
    var ratio = registry.get("sluice.estimate.error.ratio").summary();
    assertThat(ratio.count()).isEqualTo(2);
    assertThat(ratio.totalAmount()).isEqualTo(3);
    assertThat(ratio.max()).isEqualTo(2);
  }

  @Test
  void an_answer_without_an_estimate_is_counted_and_not_compared() {
    meters.learned(Double.NaN, 5);
    assertThat(registry.get("sluice.estimate.learned").counter().count()).isEqualTo(1);
    assertThat(registry.get("sluice.estimate.error.ratio").summary().count()).isZero();
  }
}
