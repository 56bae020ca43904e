package io.sluice.evaluate.figures;

import static io.sluice.evaluate.figures.Samples.sample;
import static io.sluice.evaluate.figures.Samples.unanswered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MeasuresTest {
  private static final Measures.Place TIME =
      new Measures.Place("simulated disk", "no load", "start to NORMAL", "s");

  private static Measure measure(String target, int round, double value) {
    return new Measure(target, TIME.group(), TIME.load(), round, TIME.name(), TIME.unit(), value);
  }

  private static Measures of(List<Sample> samples, Measure... measures) {
    return new Measures(
        new Run(
            "join",
            "now",
            Map.of(),
            samples,
            List.of(),
            List.of(measures),
            List.of(),
            List.of(),
            List.of()));
  }

  @Test
  void ratios_pair_the_rounds() {
    Measures measures =
        of(
            List.of(),
            measure("stock", 1, 10),
            measure("all", 1, 5),
            measure("stock", 2, 100),
            measure("all", 2, 50),
            measure("all", 3, 7));

    assertThat(measures.ratio("all", "stock", TIME).mean()).isCloseTo(0.5, within(1e-9));
    assertThat(measures.over("stock", TIME).mean()).isEqualTo(55);
    assertThat(measures.has("none", TIME)).isFalse();
  }

  @Test
  void times_of_requests_are_measures_too() {
    Measures measures = of(List.of(sample("stock", 1, "single", 10)), measure("stock", 1, 1));

    assertThat(measures.places())
        .extracting(Measures.Place::name)
        .contains("start to NORMAL", "single, mean", "single, p99");
    assertThat(measures.targets()).containsExactly("stock");
  }

  @Test
  void a_number_without_a_baseline_or_with_a_baseline_of_zero_has_no_ratio() {
    Measures measures = of(List.of(), measure("stock", 1, 0), measure("all", 1, 5));

    assertThat(measures.ratio("all", "stock", TIME).mean()).isNaN();
    assertThat(measures.ratio("all", "none", TIME).values()).isZero();
    assertThat(measures.over("stock", TIME).mean()).isZero();
  }

  @Test
  void a_round_without_answers_has_no_times_but_zero_answers_a_second() {
    Measures measures =
        of(List.of(unanswered(sample("stock", 1, "single", 10), Map.of("TIMEOUT", 3L))));

    assertThat(measures.places())
        .singleElement()
        .isEqualTo(new Measures.Place("mix 9:1", "125 clients", "single, answers", "/s"));
    assertThat(measures.over("stock", measures.places().get(0)).mean()).isZero();
  }
}
