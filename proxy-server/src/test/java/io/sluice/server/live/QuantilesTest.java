package io.sluice.server.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class QuantilesTest {

  private static final double[] BOUNDS = {1, 2, 4, 8, 16};

  private static Quantiles counted(double... counts) {
    return new Quantiles(BOUNDS, counts);
  }

  /** Returns a histogram of values, as a meter keeps it. */
  private static Quantiles of(double[] values) {
    return counted(
        Arrays.stream(BOUNDS)
            .map(bound -> Arrays.stream(values).filter(value -> value <= bound).count())
            .toArray());
  }

  @Test
  void nothing_counted_has_no_quantile() {
    assertThat(Quantiles.NONE.at(0.5)).isNaN();
    assertThat(counted(0, 0, 0, 0, 0).at(0.99)).isNaN();
  }

  @Test
  void a_quantile_lies_within_its_bucket_by_rank() {
    assertThat(counted(0, 10, 10, 10, 10).at(0.5)).isEqualTo(1.5);
    assertThat(counted(0, 10, 10, 10, 10).at(1)).isEqualTo(2);
    assertThat(counted(5, 5, 10, 10, 10).at(0.5)).isEqualTo(1);
    assertThat(counted(5, 5, 10, 10, 10).at(0.75)).isEqualTo(3);
  }

  @Test
  void only_values_since_the_last_reading_count() {
    Quantiles before = counted(90, 90, 90, 90, 100);
    Quantiles now = counted(90, 90, 100, 100, 110);
    assertThat(now.since(before).at(1)).isEqualTo(4);
    assertThat(now.since(now).at(0.5)).isNaN();
  }

  @Test
  void two_histograms_are_counted_together() {
    assertThat(counted(10, 10, 10, 10, 10).plus(counted(0, 0, 0, 10, 10)).at(0.5)).isEqualTo(1);
    assertThat(Quantiles.NONE.plus(counted(0, 10, 10, 10, 10)).at(1)).isEqualTo(2);
    assertThat(counted(0, 10, 10, 10, 10).plus(Quantiles.NONE).at(1)).isEqualTo(2);
  }

  @RepeatedTest(50)
  void a_quantile_is_in_the_bucket_of_the_value_of_that_rank(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    double[] values = random.doubles(1 + random.nextInt(40), 0, 16).sorted().toArray();
    double share = (1 + random.nextInt(100)) / 100.0;
    double exact = values[(int) Math.ceil(share * values.length) - 1];
    double upper = Arrays.stream(BOUNDS).filter(bound -> exact <= bound).findFirst().orElseThrow();

    double found = of(values).at(share);

    assertThat(found).isLessThanOrEqualTo(upper + 1e-9);
    assertThat(found).isCloseTo(exact, within(upper == 1 ? 1 : upper / 2));
  }
}
