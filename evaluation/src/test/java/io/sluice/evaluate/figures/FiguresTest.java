package io.sluice.evaluate.figures;

import static io.sluice.evaluate.figures.Samples.at;
import static io.sluice.evaluate.figures.Samples.failing;
import static io.sluice.evaluate.figures.Samples.sample;
import static io.sluice.evaluate.figures.Samples.unanswered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.evaluate.figures.Figures.Place;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FiguresTest {
  private static final Place HERE = new Place("mix 9:1", "125 clients", "single");

  @Test
  void ratios_pair_the_rounds() {
    Figures figures =
        new Figures(
            List.of(
                sample("direct", 1, "single", 10),
                sample("Sluice", 1, "single", 1),
                sample("direct", 2, "single", 1000),
                sample("Sluice", 2, "single", 100)));
    Interval ratio = figures.ratio("Sluice", "direct", HERE, Figure.MEAN);

    assertThat(ratio.mean()).isCloseTo(0.1, within(1e-12));
    assertThat(ratio.high() - ratio.low()).isCloseTo(0, within(1e-9));
  }

  @Test
  void a_round_of_only_one_target_is_not_a_pair() {
    Figures figures =
        new Figures(
            List.of(
                sample("direct", 1, "single", 10),
                sample("Sluice", 1, "single", 5),
                sample("Sluice", 2, "single", 500)));

    assertThat(figures.ratio("Sluice", "direct", HERE, Figure.MEAN).mean())
        .isCloseTo(0.5, within(1e-12));
  }

  @Test
  void errors_are_summed_over_rounds_and_named() {
    Figures figures =
        new Figures(
            List.of(
                failing(sample("direct", 1, "single", 10), Map.of("TIMEOUT", 3L)),
                failing(sample("direct", 2, "single", 10), Map.of("TIMEOUT", 1L, "ERROR", 2L))));

    assertThat(figures.errors("direct", HERE)).isEqualTo(6);
    assertThat(figures.sent("direct", HERE)).isEqualTo(206);
    assertThat(figures.errorKinds("direct")).isEqualTo(Map.of("TIMEOUT", 4L, "ERROR", 2L));
  }

  @Test
  void names_come_in_the_order_in_which_they_were_measured() {
    Figures figures =
        new Figures(
            List.of(
                at(sample("direct", 1, "single", 1), "b", "500"),
                at(sample("A", 1, "single", 1), "a", "125"),
                at(sample("A", 1, "single", 1), "b", "125")));

    assertThat(figures.targets()).containsExactly("direct", "A");
    assertThat(figures.groups()).containsExactly("b", "a");
    assertThat(figures.loads("b")).containsExactly("500", "125");
  }

  @Test
  void a_load_belongs_to_its_group() {
    Figures figures =
        new Figures(
            List.of(
                at(sample("direct", 1, "single", 1), "a", "125"),
                at(sample("direct", 1, "single", 1), "b", "500")));

    assertThat(figures.loads("a")).containsExactly("125");
    assertThat(figures.loads("c")).isEmpty();
  }

  private static final Map<String, Long> TIMEOUTS = Map.of("TIMEOUT", 1L);

  /** A target without any answer has no times, but appears. */
  @Test
  void a_class_whose_requests_all_failed_appears_and_one_without_requests_does_not() {
    Figures figures =
        new Figures(
            List.of(
                empty("direct", 1, Map.of("TIMEOUT", 7L)),
                empty("Sluice", 1, Map.of()),
                sample("other", 1, "single", 10),
                empty("other", 2, Map.of("TIMEOUT", 1L))));

    assertThat(figures.has("direct", HERE)).isTrue();
    assertThat(figures.over("direct", HERE, Figure.MEAN).mean()).isNaN();
    assertThat(figures.has("Sluice", HERE)).isFalse();
    assertThat(figures.has("nothing", HERE)).isFalse();
    assertThat(figures.over("other", HERE, Figure.MEAN).values()).isEqualTo(1);
  }

  @Test
  void a_round_without_answers_has_zero_answers_a_second_and_no_times() {
    Figures figures =
        new Figures(List.of(sample("Sluice", 1, "single", 10), empty("Sluice", 2, TIMEOUTS)));

    assertThat(figures.over("Sluice", HERE, Figure.PER_SECOND).mean()).isEqualTo(50);
    assertThat(figures.over("Sluice", HERE, Figure.P99).mean()).isEqualTo(30);
    assertThat(figures.ratio("Sluice", "Sluice", HERE, Figure.PER_SECOND).values())
        .as("rounds with a ratio")
        .isEqualTo(1);
  }

  @Test
  void a_round_without_answers_of_one_target_counts_with_a_ratio_of_0() {
    Figures figures =
        new Figures(
            List.of(
                sample("direct", 1, "single", 10),
                sample("Sluice", 1, "single", 5),
                sample("direct", 2, "single", 10),
                empty("Sluice", 2, TIMEOUTS)));

    Interval ratio = figures.ratio("Sluice", "direct", HERE, Figure.PER_SECOND);
    assertThat(ratio.values()).isEqualTo(2);
    assertThat(ratio.hasZero()).isTrue();
    assertThat(figures.ratio("direct", "Sluice", HERE, Figure.PER_SECOND).values()).isEqualTo(1);
    assertThat(figures.rounds()).isEqualTo(2);
  }

  @Test
  void a_round_that_was_measured_again_counts_once_with_its_last_sample() {
    Figures figures =
        new Figures(List.of(sample("direct", 1, "single", 10), sample("direct", 1, "single", 30)));

    assertThat(figures.over("direct", HERE, Figure.MEAN).mean()).isEqualTo(30);
    assertThat(figures.over("direct", HERE, Figure.MEAN).values()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"MEAN, 10", "P50, 5", "P99, 30", "MAX, 50", "PER_SECOND, 100"})
  void each_figure_is_its_own(Figure figure, double value) {
    Figures figures = new Figures(List.of(sample("direct", 1, "single", 10)));

    assertThat(figures.over("direct", HERE, figure).mean()).isEqualTo(value);
    assertThat(figure.label()).isNotBlank();
  }

  private static Sample empty(String target, int round, Map<String, Long> kinds) {
    return unanswered(sample(target, round, "single", 1), kinds);
  }
}
