package io.sluice.decide.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the costs that tables have in common. */
class CommonCostsTest {

  private static final Offset<Double> EXACTLY = within(1e-9);

  private final CommonCosts costs = new CommonCosts();
  private final double usual = costs.forTable().work(100, 10_000);

  private void learn(double micros) {
    for (int i = 0; i < 500; i++) {
      costs.learn(100, 10_000, micros);
    }
  }

  /** Works within a factor of two are equal. A larger difference is lowered by that factor. */
  @ParameterizedTest
  @CsvSource({
    "0.1,  0.2",
    "0.4,  0.8",
    "0.5,  1",
    "0.9,  1",
    "1,    1",
    "1.9,  1",
    "2,    1",
    "2.1,  1.05",
    "10,   5",
  })
  void the_work_of_a_read_is_moved_toward_the_usual_work(double factor, double moved) {
    assertThat(costs.shrink(factor * usual, 100, 10_000, 2)).isCloseTo(moved * usual, EXACTLY);
  }

  @Test
  void the_usual_work_is_learned_from_the_reads_of_all_tables() {
    learn(5_000);
    assertThat(costs.forTable().work(100, 10_000)).isCloseTo(5_000, within(50.0));
    assertThat(costs.shrink(6_000, 100, 10_000, 2)).isCloseTo(5_000, within(50.0));
  }

  @Test
  void a_prediction_does_not_wait_until_an_answer_was_learned() throws Exception {
    synchronized (costs) {
      Future<Double> predicted =
          CompletableFuture.supplyAsync(() -> costs.shrink(usual, 100, 10_000, 2));
      assertThat(predicted.get(10, TimeUnit.SECONDS)).isCloseTo(usual, EXACTLY);
    }
  }

  @Test
  void costs_from_fewer_answers_may_differ_more_and_count_as_equal() {
    assertThat(CommonCosts.margin(1)).isCloseTo(7.39, within(0.01));
    assertThat(CommonCosts.margin(4)).isCloseTo(Math.E, within(0.01));
    assertThat(CommonCosts.margin(9)).isEqualTo(2);
    assertThat(CommonCosts.margin(100)).isEqualTo(2);
    assertThat(costs.shrink(10 * usual, 100, 10_000, 5)).isCloseTo(2 * usual, EXACTLY);
    assertThat(costs.shrink(usual / 10, 100, 10_000, 5)).isCloseTo(usual / 2, EXACTLY);
  }

  @Test
  void the_usual_work_is_that_of_as_many_rows_and_bytes() {
    double many = costs.forTable().work(5_000, 1_000_000);
    assertThat(costs.shrink(many, 5_000, 1_000_000, 2)).isCloseTo(many, EXACTLY);
    assertThat(costs.shrink(many, 0, 0, 2)).isCloseTo(many / 2, EXACTLY);
  }

  @Test
  void a_new_table_starts_from_the_common_costs_and_has_shown_no_rows() {
    learn(5_000);
    costs.observe(10, 9_000);
    CostModel table = costs.forTable();
    assertThat(table.sawRows()).isFalse();
    assertThat(table.bytesIn(1)).isEqualTo(900);
    assertThat(table.work(100, 10_000)).isCloseTo(5_000, within(50.0));
  }

  @Test
  void the_models_of_tables_do_not_follow_each_other() {
    CostModel one = costs.forTable();
    CostModel other = costs.forTable();
    double before = other.estimate(100);
    one.learn(100, 10_000, 5 * before);
    one.observe(10, 9_000);
    assertThat(other.estimate(100)).isEqualTo(before);
    assertThat(costs.forTable().estimate(100)).isEqualTo(before);
    learn(5_000);
    assertThat(other.estimate(100)).isEqualTo(before);
  }
}
