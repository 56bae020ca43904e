package io.sluice.decide.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CostModelTest {
  private final CostModel model = new CostModel();

  @Test
  void the_initial_cost_is_realistic_for_a_current_node() {
    assertThat(model.work(1, 1000)).isBetween(100.0, 300.0);
    assertThat(model.work(1000, 1_000_000)).isBetween(5_000.0, 20_000.0);
  }

  @ParameterizedTest
  @CsvSource({"150,3,0.01", "1500,1,0.05", "40,20,0.001", "20000,3,0.01"})
  void the_model_learns_the_cost_of_reads_of_all_sizes(double fixed, double row, double octet) {
    Random random = new Random(5);
    for (int i = 0; i < 2000; i++) {
      double rows = 1 + random.nextInt(random.nextBoolean() ? 3 : 2000);
      double bytes = rows * (50 + random.nextInt(2000));
      double micros = fixed + row * rows + octet * bytes;
      model.learn(rows, bytes, micros * Math.exp(0.2 * random.nextGaussian()));
    }

    for (int rows : new int[] {1, 100, 2000}) {
      double bytes = rows * 1000.0;
      double expected = fixed + row * rows + octet * bytes;
      assertThat(model.work(rows, bytes)).isCloseTo(expected, within(0.25 * expected));
    }
  }

  @Test
  void the_cost_is_right_even_if_all_rows_have_one_size() {
    for (int i = 0; i < 1000; i++) {
      double rows = 1 + i % 1000;
      model.learn(rows, rows * 1000, 100 + 40 * rows);
    }

    assertThat(model.work(500, 500_000)).isCloseTo(20_100, within(1_000.0));
  }

  @Test
  void no_sample_makes_a_cost_negative_or_infinite() {
    Random random = new Random(3);
    for (int i = 0; i < 10_000; i++) {
      double rows = random.nextInt(5000);
      model.learn(rows, rows * random.nextInt(5000), Math.exp(random.nextInt(20)));

      assertThat(model.work(0, 0)).isPositive().isFinite();
      assertThat(model.work(1000, 1000)).isGreaterThan(model.work(0, 0)).isFinite();
    }
  }

  @Test
  void the_row_size_is_learned_from_answers_with_a_row_count() {
    double before = model.estimate(1000);

    model.observe(10, 20_000);
    model.observe(-1, 999_999_999);
    model.observe(0, 120);

    assertThat(model.rowsOfBytes(4_000)).isEqualTo(2);
    assertThat(model.estimate(1000)).isGreaterThan(before);
  }

  @Test
  void the_model_of_a_new_node_starts_with_the_costs_of_the_table() {
    model.observe(10, 20_000);
    model.learn(1, 2_000, 900);

    assertThat(model.ofSameTable().estimate(77)).isEqualTo(model.estimate(77));
  }
}
