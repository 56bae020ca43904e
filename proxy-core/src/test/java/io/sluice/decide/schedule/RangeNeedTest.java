package io.sluice.decide.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Tests the mean number of range reads that hold a slot or wait for one. */
class RangeNeedTest {

  private final RangeNeed need = new RangeNeed();

  @Test
  void the_mean_is_weighted_by_time_since_the_last_call() {
    need.change(0, 1_000);
    need.change(10, 1_100);
    need.change(2, 1_150);
    assertThat(need.take(1_200)).isCloseTo((10 * 50 + 2 * 50) / 200.0, within(1e-9));

    assertThat(need.take(1_300)).isEqualTo(2);

    need.change(0, 1_310);
    assertThat(need.take(1_400)).isCloseTo(0.2, within(1e-9));
    assertThat(need.take(1_500)).isZero();
  }

  @Test
  void the_clock_may_begin_anywhere() {
    need.change(4, -5_000);

    assertThat(need.take(-4_000)).isEqualTo(4);
  }

  @Test
  void without_time_the_mean_is_the_present_number() {
    assertThat(need.take(7)).isZero();
    need.change(3, 7);
    assertThat(need.take(7)).isEqualTo(3);
  }
}
