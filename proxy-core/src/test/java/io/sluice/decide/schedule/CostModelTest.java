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
  void the_first_guess_is_sane_for_a_node_of_today() {
    assertThat(model.work(1, 1000)).isBetween(100.0, 300.0);
    assertThat(model.work(1000, 1_000_000)).isBetween(5_000.0, 20_000.0);
  }

  @ParameterizedTest
  @CsvSource({"150,3,0.01", "1500,1,0.05", "40,20,0.001", "20000,3,0.01"})
  void it_learns_what_reads_of_all_sizes_cost(double fixed, double row, double octet) {
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
  void rows_of_one_size_only_still_give_the_right_sum() {
    for (int i = 0; i < 1000; i++) {
      double rows = 1 + i % 1000;
      model.learn(rows, rows * 1000, 100 + 40 * rows);
    }

    assertThat(model.work(500, 500_000)).isCloseTo(20_100, within(1_000.0));
  }

  @Test
  void nothing_makes_a_cost_negative_or_absurd() {
    Random random = new Random(3);
    for (int i = 0; i < 10_000; i++) {
      double rows = random.nextInt(5000);
      model.learn(rows, rows * random.nextInt(5000), Math.exp(random.nextInt(20)));

      assertThat(model.work(0, 0)).isPositive().isFinite();
      assertThat(model.work(1000, 1000)).isGreaterThan(model.work(0, 0)).isFinite();
    }
  }

  @Test
  void the_size_of_rows_comes_from_counted_answers() {
    double before = model.estimate(1000);

    model.observe(10, 20_000);
    model.observe(-1, 999_999_999);
    model.observe(0, 120);

    assertThat(model.rowsIn(4_000)).isEqualTo(2);
    assertThat(model.estimate(1000)).isGreaterThan(before);
  }

  @Test
  void a_node_starts_from_what_is_known_of_the_table() {
    model.observe(10, 20_000);
    model.learn(1, 2_000, 900);

    assertThat(new CostModel(model).estimate(77)).isEqualTo(model.estimate(77));
  }
}
