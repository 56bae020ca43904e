package io.sluice.evaluate.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class IntervalTest {
  @Test
  void the_interval_is_student_s() {
    Interval of = Interval.of(List.of(1.0, 2.0, 3.0, 4.0, 5.0));

    assertThat(of.mean()).isEqualTo(3);
    // 2.7764 (t of 4 degrees) * sqrt(2.5) / sqrt(5)
    assertThat(of.high() - of.mean()).isCloseTo(1.96324, within(1e-4));
    assertThat(of.mean() - of.low()).isCloseTo(1.96324, within(1e-4));
  }

  @Test
  void one_value_has_no_interval_and_none_has_no_mean() {
    assertThat(Interval.of(List.of(7.0)).mean()).isEqualTo(7);
    assertThat(Interval.of(List.of(7.0)).isKnown()).isFalse();
    assertThat(Interval.of(List.of()).mean()).isNaN();
  }

  @Test
  void ratios_are_averaged_so_that_twice_and_half_cancel_out() {
    Interval of = Interval.ofRatios(List.of(2.0, 0.5));

    assertThat(of.mean()).isCloseTo(1, within(1e-12));
    assertThat(of.low() * of.high()).isCloseTo(1, within(1e-9));
  }

  @Test
  void a_ratio_of_0_is_the_mean_and_has_no_interval() {
    Interval of = Interval.ofRatios(List.of(2.0, 0.0, 2.0));

    assertThat(of.mean()).isZero();
    assertThat(of.isKnown()).isFalse();
    assertThat(of.values()).isEqualTo(3);
    assertThat(of.hasZero()).isTrue();
    assertThat(Interval.ofRatios(List.of(2.0)).hasZero()).isFalse();
    assertThat(Interval.ofRatios(List.of()).hasZero()).isFalse();
  }

  @Test
  void an_interval_is_on_one_side_only_as_a_whole() {
    assertThat(Interval.of(List.of(0.5, 0.51, 0.49)).isBelow(1)).isTrue();
    assertThat(Interval.of(List.of(0.5, 1.4)).isBelow(1)).isFalse();
    assertThat(Interval.of(List.of(1.5, 1.51)).isAbove(1)).isTrue();
    assertThat(Interval.of(List.of(0.5)).isBelow(1)).isFalse();
  }

  @Test
  void it_contains_the_true_mean_in_about_95_of_100_cases() {
    SplittableRandom random = new SplittableRandom(5);
    int held = 0;
    for (int i = 0; i < 4000; i++) {
      List<Double> values = new ArrayList<>();
      for (int j = 0; j < 4; j++) {
        values.add(random.nextGaussian(10, 3));
      }
      Interval of = Interval.of(values);
      held += of.low() <= 10 && 10 <= of.high() ? 1 : 0;
    }
    assertThat(held / 4000.0).isCloseTo(0.95, within(0.012));
  }
}
