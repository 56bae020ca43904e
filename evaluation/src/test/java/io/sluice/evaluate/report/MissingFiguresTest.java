package io.sluice.evaluate.report;

import static io.sluice.evaluate.figures.Samples.at;
import static io.sluice.evaluate.figures.Samples.run;
import static io.sluice.evaluate.figures.Samples.sample;
import static io.sluice.evaluate.figures.Samples.unanswered;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.evaluate.figures.Curve;
import io.sluice.evaluate.figures.Measure;
import io.sluice.evaluate.figures.Run;
import io.sluice.evaluate.figures.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports of runs in which some or all requests failed, or some figures are missing. */
class MissingFiguresTest {
  private static final Map<String, Long> TIMEOUTS = Map.of("TIMEOUT", 9L);

  @TempDir private Path dir = Path.of("");

  private static Sample failed(String target, int round) {
    return unanswered(sample(target, round, "single", 1), TIMEOUTS);
  }

  @Test
  void without_answers_there_is_no_ratio_in_place_of_the_same() {
    List<String> findings =
        Report.findings(run("scheduling", failed("direct", 1), sample("Sluice", 1, "single", 20)));

    assertThat(findings)
        .contains(
            "mix 9:1, 125 clients: single reads take – ms on average directly and 20.0 ms through"
                + " Sluice: no ratio.");
  }

  @Test
  void a_baseline_of_zero_gives_no_ratio() {
    Run run =
        new Run(
            "colocation",
            "now",
            Map.of(),
            List.of(),
            List.of(),
            List.of(
                new Measure("off", "1 node", "load", 1, "reads and writes", "/s", 0),
                new Measure("advisor", "1 node", "load", 1, "reads and writes", "/s", 900)),
            List.of(),
            List.of(),
            List.of());

    assertThat(Report.findings(run))
        .containsExactly(
            "1 node, load: the throughput is 0/s with off and 900/s with advisor: no ratio.");
  }

  @Test
  void the_card_is_of_the_slowest_load_with_answers() throws IOException {
    Run run =
        run(
            "scheduling",
            at(sample("direct", 1, "single", 8), "mix", "10 clients"),
            at(sample("Sluice", 1, "single", 4), "mix", "10 clients"),
            at(sample("direct", 1, "single", 40), "mix", "50 clients"),
            at(sample("Sluice", 1, "single", 10), "mix", "50 clients"),
            at(failed("direct", 1), "mix", "90 clients"),
            at(sample("Sluice", 1, "single", 30), "mix", "90 clients"));

    assertThat(Files.readString(Report.write(run, dir)))
        .contains("<b>0.250 ×</b>", "mix, 50 clients: 10.0 instead of 40.0 ms")
        .doesNotContain("<b>– ×</b>");
  }

  @Test
  void consistency_levels_without_answers_are_not_compared() {
    Run run =
        run(
            "consistency",
            at(failed("direct", 1), "workload c", "R=ONE"),
            at(sample("direct", 1, "single", 5), "workload c", "R=ALL"),
            at(sample("direct", 1, "write", 3), "workload g", "W=ONE"),
            at(unanswered(sample("direct", 1, "write", 3), TIMEOUTS), "workload g", "W=ALL"));

    assertThat(Report.findings(run))
        .containsExactly("direct failed 18 of 218 requests (18 TIMEOUT).");
  }

  @ParameterizedTest
  @ValueSource(strings = {"scheduling", "consistency", "open-loop", "workloads", "cache"})
  void a_run_in_which_all_requests_failed_has_a_report(String kind) throws IOException {
    Run run = run(kind, failed("direct", 1), failed("Sluice", 1), failed("stock", 1));

    assertThat(Files.readString(Report.write(run, dir))).contains("TIMEOUT");
  }

  @Test
  void a_target_without_answers_is_in_the_table_with_its_errors() throws IOException {
    Run run = run("scheduling", sample("direct", 1, "single", 8), failed("Sluice", 1));

    assertThat(Files.readString(Report.write(run, dir)))
        .contains(
            "<td>Sluice</td><td>–</td><td>–</td><td>–</td><td>–</td><td>–</td><td>0</td>"
                + "<td class=\"worse\">9</td>");
  }

  @Test
  void a_curve_without_points_is_not_drawn() throws IOException {
    Run run =
        new Run(
            "join",
            "now",
            Map.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(curve("stock", List.of()), curve("all", List.of(new Curve.Point(1, 8)))),
            List.of(),
            List.of());

    assertThat(Report.write(run, dir)).isNotEmptyFile();
    assertThat(dir.resolve("charts/disk-no-load-data-files.png")).exists();
  }

  private static Curve curve(String target, List<Curve.Point> points) {
    return new Curve(target, "disk", "no load", 1, "data files", "MiB", points);
  }
}
