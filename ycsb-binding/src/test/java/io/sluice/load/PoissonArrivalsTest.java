package io.sluice.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoissonArrivalsTest {
  private static long[] first(int count, RateProfile profile, long seed) {
    PoissonArrivals arrivals = new PoissonArrivals(profile, new SplittableRandom(seed));
    return LongStream.generate(arrivals::next).limit(count).toArray();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void gaps_have_the_mean_and_the_spread_of_an_exponential(long seed) {
    long[] times = first(100_000, RateProfile.steady(50), seed);
    double[] gaps = new double[times.length - 1];
    for (int i = 0; i < gaps.length; i++) {
      gaps[i] = (times[i + 1] - times[i]) / 1e9;
    }
    double mean = java.util.Arrays.stream(gaps).average().orElseThrow();
    double square = java.util.Arrays.stream(gaps).map(g -> g * g).average().orElseThrow();

    assertThat(mean).isCloseTo(1 / 50.0, within(0.0004));
    assertThat(Math.sqrt(square - mean * mean) / mean).isCloseTo(1, within(0.02));
  }

  @Test
  void times_never_go_back_and_the_same_seed_gives_the_same_times() {
    long[] times = first(1000, RateProfile.steady(3), 9);

    assertThat(times).isSorted().isEqualTo(first(1000, RateProfile.steady(3), 9));
    assertThat(times).isNotEqualTo(first(1000, RateProfile.steady(3), 10));
  }

  @Test
  void a_burst_has_its_multiple_of_the_rate_and_the_time_between_has_the_rate() {
    RateProfile profile = new RateProfile(100, 2, 10, 2);
    long[] times = first(120_000, profile, 4);
    double periods = times[times.length - 1] / 1e9 / 10;
    long inBursts = LongStream.of(times).filter(t -> t / 1e9 % 10 < 2).count();

    assertThat(inBursts / periods / 2).isCloseTo(200, within(5.0));
    assertThat((times.length - inBursts) / periods / 8).isCloseTo(100, within(2.0));
  }

  @Test
  void the_expected_number_of_requests_is_counted_through_bursts() {
    RateProfile profile = new RateProfile(10, 3, 4, 1);

    assertThat(profile.after(0, 30)).isEqualTo(1);
    assertThat(profile.after(0, 60)).isEqualTo(4);
    assertThat(profile.after(0, 75)).isEqualTo(4.5);
    assertThat(profile.after(3.5, 5 + 30 + 10)).isEqualTo(6);
  }

  @Test
  void an_invalid_rate_is_refused() {
    assertThatThrownBy(() -> RateProfile.steady(0)).hasMessageContaining("rate");
    assertThatThrownBy(() -> new RateProfile(1, 2, 1, 2)).hasMessageContaining("burst");
  }
}
