package io.sluice.decide.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlownessWindowTest {
  private static final long MS = 1_000_000;

  private final SlownessWindow window = new SlownessWindow(1.4, 3);
  private final Random random = new Random(3);

  /** Fills one window, with reads that end one a millisecond, and returns its samples. */
  private int fill(double deviation, int slots) {
    int samples = 0;
    window.open(0);
    while (!window.isFull(slots, samples * MS)) {
      window.add(Math.exp(deviation * random.nextGaussian()), 1, false);
      samples++;
    }
    return samples;
  }

  private void fillTwenty(double deviation) {
    for (int i = 0; i < 20; i++) {
      fill(deviation, 1);
    }
  }

  @ParameterizedTest
  @CsvSource({"0,10,10", "0.3,10,12", "1,65,95", "1.5,150,210"})
  void windows_are_as_long_as_the_noise_requires(double deviation, int atLeast, int atMost) {
    fillTwenty(deviation);

    int samples = 0;
    for (int i = 0; i < 50; i++) {
      samples += fill(deviation, 1);
    }

    assertThat(samples).isBetween(50 * atLeast, 50 * atMost);
  }

  @Test
  void the_mean_of_a_noisy_window_is_known_to_a_third_of_the_tolerance() {
    fillTwenty(1);

    double squares = 0;
    for (int i = 0; i < 400; i++) {
      fill(1, 1);
      squares += Math.pow(Math.log(window.slowness()), 2) / 400;
    }

    assertThat(Math.sqrt(squares)).isCloseTo(Math.log(1.4) / 3, within(0.02));
  }

  @Test
  void a_window_has_a_sample_for_each_slot_and_lasts_five_milliseconds() {
    fillTwenty(0);
    assertThat(fill(0, 32)).isEqualTo(32);

    window.open(0);
    for (int i = 0; i < 40; i++) {
      window.add(1, 1, false);
    }

    assertThat(window.isFull(32, 5 * MS - 1)).isFalse();
    assertThat(window.isFull(32, 5 * MS)).isTrue();
    assertThat(window.nanos(5 * MS)).isEqualTo(5 * MS);
  }

  @Test
  void a_window_that_is_cut_short_tells_nothing_about_noise() {
    fillTwenty(1);
    for (int i = 0; i < 100; i++) {
      window.open(0);
      window.add(1, 1, false);
    }

    assertThat(fill(0, 1)).isGreaterThan(50);
  }

  @Test
  void slowness_is_averaged_geometrically_and_size_arithmetically() {
    window.open(0);
    window.add(0.5, 2, false);
    window.add(8, 6, false);

    assertThat(window.slowness()).isCloseTo(2, within(1e-9));
    assertThat(window.size()).isEqualTo(4);
  }

  @Test
  void one_of_twenty_is_five_of_a_hundred() {
    window.open(0);
    for (int i = 0; i < 100; i++) {
      window.add(1, 1, i < 5);
    }

    assertThat(window.limitReachedByOneOf(20)).isTrue();
    assertThat(window.limitReachedByOneOf(19)).isFalse();
  }
}
