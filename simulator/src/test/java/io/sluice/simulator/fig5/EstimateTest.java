package io.sluice.simulator.fig5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.simulator.fig5.Fig5Result.Estimate;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests means with their confidence intervals, and the results that contain them. */
class EstimateTest {

  @Test
  void equal_samples_have_an_interval_of_zero() {
    assertThat(Estimate.of(4, 4, 4)).isEqualTo(new Estimate(4, 0));
  }

  @Test
  void one_sample_has_no_known_error() {
    assertThat(Estimate.of(4).mean()).isEqualTo(4);
    assertThat(Estimate.of(4).halfWidth()).isNaN();
  }

  /** Student's t at 97.5 % from a table. For samples −1 and 1 in turn the deviation is known. */
  @ParameterizedTest
  @CsvSource({"6, 2.571", "10, 2.262", "20, 2.093", "40, 2.023", "120, 1.980"})
  void the_half_width_is_students_t_times_the_error_of_the_mean(int samples, double studentT) {
    double[] each = new double[samples];
    for (int i = 0; i < samples; i++) {
      each[i] = i % 2 == 0 ? -1 : 1;
    }
    double deviation = Math.sqrt((double) samples / (samples - 1));

    Estimate estimate = Estimate.of(each);

    assertThat(estimate.mean()).isZero();
    assertThat(estimate.halfWidth())
        .isCloseTo(studentT * deviation / Math.sqrt(samples), within(0.02));
  }

  /** The true mean lies within 95 of 100 intervals. */
  @Test
  void intervals_contain_the_true_mean_as_often_as_promised() {
    SplittableRandom random = new SplittableRandom(1);
    int held = 0;
    int tries = 4000;
    for (int i = 0; i < tries; i++) {
      Estimate estimate =
          Estimate.of(random.doubles(12).map(x -> x + random.nextDouble()).toArray());
      held += Math.abs(estimate.mean() - 1) <= estimate.halfWidth() ? 1 : 0;
    }

    assertThat((double) held / tries).isCloseTo(0.95, within(0.015));
  }

  @Test
  void a_result_has_a_point_for_each_order_and_size() {
    Fig5Result result = new Fig5(1, 2).run(done -> {});

    assertThat(result.points()).hasSize(Fig5.SIZES.size() * Order.values().length);
    for (int size : Fig5.SIZES) {
      Fig5Result.Point fifo = result.point(Order.FIFO, size);
      assertThat(fifo.ofFifo()).isEqualTo(new Estimate(1, 0));
      assertThat(result.point(Order.BOUND, size).ofBound()).isEqualTo(new Estimate(1, 0));
    }
  }

  @Test
  void the_mean_of_a_curve_weighs_all_sizes_equally() {
    Fig5Result result = new Fig5(1, 2).run(done -> {});
    double sum = 0;
    for (int size : Fig5.SIZES) {
      sum += result.point(Order.NARROW_FIRST, size).ofFifo().mean();
    }

    assertThat(result.curveMean(Order.NARROW_FIRST))
        .isCloseTo(sum / Fig5.SIZES.size(), within(1e-12));
  }

  @Test
  void progress_counts_every_batch_once() {
    int[] told = new int[2];
    new Fig5(1, 2)
        .run(
            done -> {
              assertThat(done).isEqualTo(told[0] + 1);
              told[0] = done;
              told[1]++;
            });

    assertThat(Arrays.stream(told).boxed().toList()).isEqualTo(List.of(20, 20));
  }
}
