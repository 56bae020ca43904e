package io.sluice.evaluate.report;

import static io.sluice.evaluate.figures.Samples.at;
import static io.sluice.evaluate.figures.Samples.failing;
import static io.sluice.evaluate.figures.Samples.run;
import static io.sluice.evaluate.figures.Samples.sample;
import static io.sluice.evaluate.figures.Samples.unanswered;
import static io.sluice.evaluate.figures.Samples.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.evaluate.figures.Run;
import io.sluice.evaluate.figures.Sample;
import io.sluice.evaluate.report.Finding.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FindingsTest {
  private static List<Finding> of(String kind, Sample... samples) {
    return new Findings(run(kind, samples)).all();
  }

  private static Finding first(List<Finding> findings, Verdict verdict) {
    return findings.stream().filter(f -> f.verdict() == verdict).findFirst().orElseThrow();
  }

  @Test
  void a_gain_of_sluice_is_reported_with_its_interval() {
    List<Finding> findings =
        of(
            "scheduling",
            sample("direct", 1, "single", 100),
            sample("Sluice", 1, "single", 20),
            sample("direct", 2, "single", 100),
            sample("Sluice", 2, "single", 20));

    assertThat(first(findings, Verdict.BETTER).sentence())
        .isEqualTo(
            "mix 9:1, 125 clients: single reads take 100 ms on average directly and 20.0 ms"
                + " through Sluice: 80 % less (ratio 0.200, 95 % interval 0.200 to 0.200).");
  }

  @Test
  void a_loss_of_sluice_is_reported_as_plainly() {
    List<Finding> findings =
        of(
            "scheduling",
            sample("direct", 1, "range", 100),
            sample("Sluice", 1, "range", 250),
            sample("direct", 2, "range", 100),
            sample("Sluice", 2, "range", 251));

    assertThat(findings.stream().filter(f -> f.verdict() == Verdict.WORSE))
        .extracting(Finding::sentence)
        .satisfiesExactly(
            time -> assertThat(time).contains("2.50 times as much"),
            rate -> assertThat(rate).contains("fewer range reads a second").contains("60 % less"));
  }

  @Test
  void one_round_decides_nothing() {
    List<Finding> findings =
        of("scheduling", sample("direct", 1, "single", 100), sample("Sluice", 1, "single", 20));

    assertThat(findings).noneMatch(f -> f.verdict() == Verdict.BETTER);
    assertThat(findings).anyMatch(f -> f.sentence().contains("without an interval"));
  }

  @Test
  void a_round_without_answers_is_a_loss_of_throughput() {
    List<Finding> findings =
        of(
            "scheduling",
            sample("direct", 1, "single", 100),
            sample("Sluice", 1, "single", 20),
            sample("direct", 2, "single", 100),
            unanswered(sample("Sluice", 2, "single", 100), Map.of("TIMEOUT", 9L)));

    assertThat(findings)
        .contains(
            new Finding(
                Verdict.WORSE,
                "mix 9:1, 125 clients: Sluice answers fewer single reads a second than Cassandra"
                    + " alone: 0 in a round."));
  }

  @Test
  void rounds_that_disagree_are_no_clear_difference() {
    List<Finding> findings =
        of(
            "scheduling",
            sample("direct", 1, "single", 100),
            sample("Sluice", 1, "single", 20),
            sample("direct", 2, "single", 100),
            sample("Sluice", 2, "single", 300));

    assertThat(first(findings, Verdict.SAME).sentence())
        .isEqualTo("No request failed at any target.");
    assertThat(findings).anyMatch(f -> f.sentence().contains("no clear difference"));
  }

  @Test
  void errors_come_first_and_those_of_sluice_are_a_loss() {
    List<Finding> findings =
        of(
            "scheduling",
            failing(sample("direct", 1, "single", 9), Map.of("TIMEOUT", 20L)),
            failing(sample("Sluice", 1, "single", 9), Map.of("OVERLOADED", 1L)));

    assertThat(findings.get(0))
        .isEqualTo(new Finding(Verdict.NOTE, "direct failed 20 of 120 requests (20 TIMEOUT)."));
    assertThat(findings.get(1))
        .isEqualTo(new Finding(Verdict.WORSE, "Sluice failed 1 of 101 requests (1 OVERLOADED)."));
  }

  @Test
  void incidents_come_before_all_other_findings() {
    Run run =
        with(
            run("scheduling", failing(sample("Sluice", 1, "single", 9), Map.of("TIMEOUT", 1L))),
            "a node ended while Sluice was asked");

    assertThat(new Findings(run).all())
        .startsWith(new Finding(Verdict.DOUBT, "a node ended while Sluice was asked"))
        .hasSizeGreaterThan(1);
    assertThat(Report.findings(run)).first().isEqualTo("a node ended while Sluice was asked");
  }

  @Test
  void our_costs_of_consistency_are_compared_with_those_of_the_study() {
    List<Finding> findings =
        of(
            "consistency",
            at(sample("direct", 1, "single", 2), "workload c", "R=ONE"),
            at(sample("direct", 1, "single", 5), "workload c", "R=ALL"),
            at(sample("direct", 1, "write", 3), "workload g", "W=ONE"),
            at(sample("direct", 1, "write", 6), "workload g", "W=ALL"));

    assertThat(findings)
        .extracting(Finding::sentence)
        .contains(
            "direct: reads at ALL take 2.50 times as long as at ONE; the study found about 3.00.",
            "direct: writes at ALL take 2.00 times as long as at ONE; the study found about 1.30.",
            "direct: at ONE, reads take 2.00 ms and writes 3.00 ms; reads are not slower, unlike in"
                + " the study.");
  }

  @Test
  void numbers_have_three_digits_and_changes_are_words() {
    assertThat(Words.number(1234.4)).isEqualTo("1,234");
    assertThat(Words.number(12.34)).isEqualTo("12.3");
    assertThat(Words.number(0.1234)).isEqualTo("0.123");
    assertThat(Words.number(Double.NaN)).isEqualTo("–");
    assertThat(Words.change(0.2)).isEqualTo("80 % less");
    assertThat(Words.change(1.004)).isEqualTo("the same");
    assertThat(Words.change(1.5)).isEqualTo("50 % more");
    assertThat(Words.change(2.4)).isEqualTo("2.40 times as much");
  }
}
