package io.sluice.evaluate.report;

import static io.sluice.evaluate.figures.Samples.at;
import static io.sluice.evaluate.figures.Samples.failing;
import static io.sluice.evaluate.figures.Samples.run;
import static io.sluice.evaluate.figures.Samples.sample;
import static io.sluice.evaluate.figures.Samples.unanswered;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.evaluate.figures.Figure;
import io.sluice.evaluate.figures.Figures;
import io.sluice.evaluate.figures.Interval;
import io.sluice.evaluate.figures.Run;
import io.sluice.evaluate.figures.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The matrix of workloads: its colours and its findings. */
class MatrixTest {
  @TempDir private Path dir = Path.of("");

  /** Returns samples whose mean, p99 and answers a second follow from the given ratios. */
  private static List<Sample> cell(String group, double... sluiceOverDirect) {
    List<Sample> samples = new ArrayList<>();
    for (int round = 1; round <= sluiceOverDirect.length; round++) {
      samples.add(at(sample("direct", round, "single", 100), group, "32 clients"));
      samples.add(
          at(
              sample("Sluice", round, "single", 100 * sluiceOverDirect[round - 1]),
              group,
              "32 clients"));
    }
    return samples;
  }

  private static Run workloads(List<Sample> samples) {
    return run("workloads", samples.toArray(Sample[]::new));
  }

  private static List<String> sentences(List<Sample> samples) {
    return new Matrix(new Figures(samples)).findings().stream().map(Finding::sentence).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "1.06, 1.20, WORSE",
    "1.04, 1.20, UNDECIDED",
    "1.01, 1.04, UNDECIDED",
    "0.90, 1.10, UNDECIDED",
    "0.99, 1.00, UNDECIDED",
    "0.50, 0.99, BETTER"
  })
  void times_are_worse_only_if_the_whole_interval_is_above_the_tolerance(
      double low, double high, Judgement judgement) {
    assertThat(Judgement.of(new Interval((low + high) / 2, low, high, 3), Figure.MEAN))
        .isEqualTo(judgement);
    assertThat(Judgement.of(new Interval((low + high) / 2, low, high, 3), Figure.P99))
        .isEqualTo(judgement);
  }

  @ParameterizedTest
  @CsvSource({
    "0.80, 0.94, WORSE",
    "0.80, 0.96, UNDECIDED",
    "0.96, 0.99, UNDECIDED",
    "0.90, 1.10, UNDECIDED",
    "1.01, 2.00, BETTER"
  })
  void fewer_answers_a_second_are_worse(double low, double high, Judgement judgement) {
    assertThat(Judgement.of(new Interval((low + high) / 2, low, high, 3), Figure.PER_SECOND))
        .isEqualTo(judgement);
  }

  @Test
  void one_round_decides_nothing() {
    assertThat(Judgement.of(Interval.ofRatios(List.of(9.0)), Figure.MEAN))
        .isEqualTo(Judgement.UNDECIDED);
    assertThat(sentences(cell("point", 9)))
        .containsExactly("Undecided in every figure: point, 32 clients, single reads.");
  }

  @Test
  void a_row_has_each_target_s_figures_over_those_of_direct() {
    List<Sample> samples = cell("point", 0.5, 0.5);
    samples.add(at(sample("zdm", 1, "single", 200), "point", "32 clients"));
    samples.add(at(sample("zdm", 2, "single", 200), "point", "32 clients"));
    Matrix matrix = new Matrix(new Figures(samples));

    assertThat(matrix.head())
        .containsExactly(
            "workload",
            "load",
            "requests",
            "direct mean ms",
            "Sluice mean ms",
            "mean ×",
            "p99 ×",
            "answers a second ×",
            "zdm mean ms",
            "mean ×",
            "p99 ×",
            "answers a second ×",
            "errors: direct / Sluice / zdm");
    assertThat(matrix.rows())
        .containsExactly(
            List.of(
                "point",
                "32 clients",
                "single",
                "100",
                "50.0",
                "+0.500 [0.500, 0.500]",
                "+0.500 [0.500, 0.500]",
                "+2.00 [2.00, 2.00]",
                "200",
                "!2.00 [2.00, 2.00]",
                "!2.00 [2.00, 2.00]",
                "!0.500 [0.500, 0.500]",
                "0 / 0 / 0"));
  }

  @Test
  void errors_are_red_where_more_of_sluice_s_requests_fail() {
    List<Sample> more =
        List.of(
            sample("direct", 1, "single", 100),
            failing(sample("Sluice", 1, "single", 100), Map.of("TIMEOUT", 2L)));
    List<Sample> fewer =
        List.of(
            failing(sample("direct", 1, "single", 100), Map.of("TIMEOUT", 3L)),
            failing(sample("Sluice", 1, "single", 100), Map.of("TIMEOUT", 2L)));

    assertThat(new Matrix(new Figures(more)).rows().get(0)).last().isEqualTo("!0 / 2");
    assertThat(new Matrix(new Figures(fewer)).rows().get(0)).last().isEqualTo("3 / 2");
  }

  /** Returns samples in which Sluice is twice as fast, and answers nothing in the last round. */
  private static List<Sample> lastRoundFails() {
    List<Sample> samples = cell("point", 0.5, 0.5);
    samples.add(at(sample("direct", 3, "single", 100), "point", "32 clients"));
    samples.add(
        at(
            unanswered(sample("Sluice", 3, "single", 100), Map.of("TIMEOUT", 9L)),
            "point",
            "32 clients"));
    return samples;
  }

  @Test
  void a_round_without_answers_is_red_and_the_times_are_of_the_other_rounds() {
    assertThat(new Matrix(new Figures(lastRoundFails())).rows().get(0))
        .containsSequence(
            "+0.500 [0.500, 0.500] in 2 of 3 rounds",
            "+0.500 [0.500, 0.500] in 2 of 3 rounds",
            "!0 in a round");
  }

  @Test
  void a_round_without_answers_is_the_worst_loss() {
    List<Sample> samples = cell("scan", 2, 2, 2);
    samples.addAll(lastRoundFails());

    assertThat(sentences(samples))
        .startsWith(
            "point, 32 clients, single reads: Sluice is worse: answers a second 0 in a round.")
        .contains(
            "point, 32 clients, single reads: Sluice is better: mean 0.500 times direct (0.500 to"
                + " 0.500) in 2 of 3 rounds, p99 0.500 times direct (0.500 to 0.500) in 2 of 3"
                + " rounds.");
  }

  @Test
  void a_target_that_never_answers_is_red() {
    List<Sample> samples =
        List.of(
            sample("direct", 1, "single", 100),
            unanswered(sample("Sluice", 1, "single", 100), Map.of("TIMEOUT", 9L)));

    assertThat(new Matrix(new Figures(samples)).rows().get(0)).contains("!0 in a round");
    assertThat(sentences(samples)).first().asString().contains("Sluice is worse");
  }

  @Test
  void losses_of_sluice_come_first_and_the_worst_at_the_top() {
    List<Sample> samples = cell("in2", 0.5, 0.5);
    samples.addAll(cell("point", 1.2, 1.2));
    samples.addAll(cell("scan", 2, 2));
    samples.addAll(cell("wide", 0.9, 1.2));

    assertThat(sentences(samples))
        .containsExactly(
            "scan, 32 clients, single reads: Sluice is worse: mean 2.00 times direct (2.00 to"
                + " 2.00), p99 2.00 times direct (2.00 to 2.00), answers a second 0.500 times"
                + " direct (0.500 to 0.500).",
            "point, 32 clients, single reads: Sluice is worse: mean 1.20 times direct (1.20 to"
                + " 1.20), p99 1.20 times direct (1.20 to 1.20), answers a second 0.833 times"
                + " direct (0.833 to 0.833).",
            "in2, 32 clients, single reads: Sluice is better: mean 0.500 times direct (0.500 to"
                + " 0.500), p99 0.500 times direct (0.500 to 0.500), answers a second 2.00 times"
                + " direct (2.00 to 2.00).",
            "Undecided in every figure: wide, 32 clients, single reads.");
  }

  @Test
  void that_no_cell_is_worse_is_reported_too() {
    assertThat(sentences(cell("point", 0.5, 0.5)))
        .first()
        .isEqualTo("In no cell of the matrix is Sluice worse for sure.");
    assertThat(sentences(List.of())).isEmpty();
  }

  @Test
  void a_load_of_only_one_target_is_not_judged() {
    assertThat(sentences(List.of(sample("direct", 1, "single", 100)))).isEmpty();
  }

  @Test
  void the_page_has_one_table_with_colours_and_no_charts() throws IOException {
    List<Sample> samples = cell("point", 0.5, 0.5);
    samples.addAll(cell("scan", 2, 2));
    samples.addAll(cell("wide", 0.9, 1.2));
    String page = Files.readString(Report.write(workloads(samples), dir));

    assertThat(page)
        .contains("The matrix", "td class=\"better\">0.500", "td class=\"worse\">2.00")
        .contains("td class=\"undecided\">1.04 [")
        .doesNotContain("<img", "<div class=\"cards\">");
    assertThat(page.indexOf("The matrix")).isLessThan(page.indexOf("<h2>Findings"));
    assertThat(page.indexOf("scan, 32 clients, single reads: Sluice is worse"))
        .isPositive()
        .isLessThan(page.indexOf("point, 32 clients, single reads: Sluice is better"));
    assertThat(dir.resolve("results.json")).isNotEmptyFile();
    assertThat(dir.resolve("charts")).doesNotExist();
  }

  @Test
  void an_evaluation_of_another_kind_has_no_matrix() throws IOException {
    Run scheduling = run("scheduling", cell("point", 2, 2).toArray(Sample[]::new));

    assertThat(Files.readString(Report.write(scheduling, dir))).doesNotContain("The matrix");
  }

  @ParameterizedTest
  @CsvSource({
    "write, writes",
    "scan, full scans",
    "count, counts",
    "single, single reads",
    "IN, IN reads",
    "wide partition, wide partition reads"
  })
  void classes_have_words(String label, String words) {
    assertThat(Words.requests(label)).isEqualTo(words);
  }
}
