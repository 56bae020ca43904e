package io.sluice.evaluate.report;

import static io.sluice.evaluate.figures.Samples.at;
import static io.sluice.evaluate.figures.Samples.failing;
import static io.sluice.evaluate.figures.Samples.sample;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.evaluate.figures.Curve;
import io.sluice.evaluate.figures.Measure;
import io.sluice.evaluate.figures.Measures.Place;
import io.sluice.evaluate.figures.Run;
import io.sluice.evaluate.figures.Sample;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The charts and findings of a study with two disks and two variants. */
class StudyChartsTest {
  @TempDir private Path dir = Path.of("");

  private static Run run(
      String kind, List<Sample> samples, List<Measure> measures, List<Curve> curves) {
    return new Run(
        kind, "now", Map.of(), samples, List.of(), measures, curves, List.of(), List.of());
  }

  private static Measure start(String target, String disk, String load, double seconds) {
    return new Measure(target, disk, load, 1, "start to NORMAL", "s", seconds);
  }

  private static Curve files(String target, int round, double most) {
    return new Curve(
        target,
        "ssd",
        "no load",
        round,
        "data files",
        "MiB",
        List.of(new Curve.Point(0, 0), new Curve.Point(9, most)));
  }

  private List<Charts.Drawn> draw(Run run) throws IOException {
    return new StudyCharts(run, Study.JOIN).draw(dir);
  }

  @Test
  void a_number_has_a_chart_for_each_load_with_all_disks() throws IOException {
    List<Charts.Drawn> drawn =
        draw(
            run(
                "join",
                List.of(),
                List.of(
                    start("stock", "ssd", "no load", 40),
                    start("all", "ssd", "no load", 30),
                    start("stock", "disk", "no load", 90),
                    start("stock", "ssd", "120 reads a second", 50)),
                List.of()));

    assertThat(drawn)
        .extracting(Charts.Drawn::title)
        .containsExactly("no load: start to NORMAL", "120 reads a second: start to NORMAL");
    assertThat(dir.resolve(drawn.get(0).file() + ".svg")).isNotEmptyFile();
    assertThat(dir.resolve(drawn.get(1).file() + ".png")).isNotEmptyFile();
  }

  @Test
  void a_variant_has_a_bar_for_each_disk_and_an_interval_from_three_rounds_on() {
    List<Measure> measures = new ArrayList<>();
    for (int round = 1; round <= 3; round++) {
      measures.add(measure("stock", round, 40 + round));
    }
    measures.add(measure("all", 1, 30));
    measures.add(measure("all", 2, 34));
    measures.add(measure("none", 1, 0));
    measures.add(start("elsewhere", "disk", "120 reads a second", 50));
    Run run = run("join", List.of(), measures, List.of());
    Place ssd = new Place("ssd", "no load", "start to NORMAL", "s");
    Place other = new Place("disk", "no load", "start to NORMAL", "s");

    List<Charts.Bars> bars = new StudyCharts(run, Study.JOIN).values(List.of(ssd, other));

    assertThat(bars).extracting(Charts.Bars::target).containsExactly("stock", "all", "none");
    assertThat(bars.get(2).values()).containsExactly(0.0, 0.0);
    assertThat(bars.get(0).values()).containsExactly(42.0, 0.0);
    assertThat(bars.get(0).errors().get(0)).isCloseTo(2.484, within(0.001));
    assertThat(bars.get(1).values()).containsExactly(32.0, 0.0);
    assertThat(bars.get(1).errors()).as("two rounds").containsExactly(0.0, 0.0);
  }

  @Test
  void a_number_that_is_zero_everywhere_has_no_chart() throws IOException {
    List<Measure> zeros = List.of(measure("stock", 1, 0), measure("all", 1, 0));

    assertThat(draw(run("join", List.of(), zeros, List.of()))).isEmpty();
  }

  private static Measure measure(String target, int round, double value) {
    return new Measure(target, "ssd", "no load", round, "start to NORMAL", "s", value);
  }

  @Test
  void a_number_that_is_only_in_the_tables_has_no_chart() throws IOException {
    Measure seeks = new Measure("stock", "ssd", "no load", 1, "seeks of the disk", "", 900);

    assertThat(draw(run("join", List.of(), List.of(seeks), List.of()))).isEmpty();
  }

  @Test
  void a_quantity_over_time_has_one_chart_with_the_first_round_of_each_variant()
      throws IOException {
    Run run =
        run(
            "join",
            List.of(),
            List.of(),
            List.of(files("stock", 1, 500), files("all", 1, 400), files("stock", 2, 77_000)));

    assertThat(draw(run))
        .extracting(Charts.Drawn::title)
        .containsExactly("ssd, no load: data files");
    assertThat(new StudyCharts(run, Study.JOIN).besides(run.curves().get(0)))
        .containsExactly(run.curves().get(0), run.curves().get(1));
  }

  @Test
  void a_class_of_requests_is_named_in_words() throws IOException {
    Sample reads = at(sample("stock", 1, "single", 9), "ssd", "120 reads a second");

    assertThat(draw(run("join", List.of(reads), List.of(), List.of())))
        .extracting(Charts.Drawn::title)
        .containsExactly("120 reads a second: point reads, p99");
  }

  @Test
  void only_numbers_with_a_question_are_compared_and_only_with_the_baseline() {
    Run run =
        run(
            "join",
            List.of(),
            List.of(
                start("stock", "ssd", "no load", 40),
                start("all", "ssd", "no load", 30),
                start("all", "disk", "no load", 30),
                new Measure("stock", "ssd", "no load", 1, "received", "MiB", 5),
                new Measure("all", "ssd", "no load", 1, "received", "MiB", 6)),
            List.of());

    assertThat(Report.findings(run))
        .containsExactly(
            "ssd, no load: start to NORMAL takes 40.0 s with stock and 30.0 s with all: 25 % less"
                + " (one round, so without an interval).");
  }

  @Test
  void failed_requests_are_summed_by_load_and_variant() {
    Sample some = at(sample("stock", 1, "single", 9), "ssd", "120 reads");
    Sample more = at(sample("stock", 2, "single", 9), "ssd", "120 reads");

    assertThat(
            Report.findings(
                run(
                    "cache",
                    List.of(
                        failing(some, Map.of("TIMEOUT", 2L)), failing(more, Map.of("TIMEOUT", 3L))),
                    List.of(),
                    List.of())))
        .containsExactly("ssd, 120 reads, stock: single reads [TIMEOUT] failed 5 times.");
    assertThat(Report.findings(run("cache", List.of(some), List.of(), List.of())))
        .containsExactly("No request failed.");
  }

  @Test
  void more_is_better_only_for_throughput() {
    List<Finding> findings =
        new StudyFindings(
                run(
                    "colocation",
                    List.of(),
                    List.of(
                        throughput("off", 1, 100),
                        throughput("off", 2, 101),
                        throughput("advisor", 1, 200),
                        throughput("advisor", 2, 202),
                        throughput("default", 1, 50),
                        throughput("default", 2, 50.5)),
                    List.of()),
                Study.COLOCATION)
            .all();

    assertThat(findings)
        .extracting(Finding::verdict)
        .containsExactly(Finding.Verdict.BETTER, Finding.Verdict.WORSE);
    assertThat(findings.get(0).sentence()).contains("101/s with off and 201/s with advisor");
  }

  private static Measure throughput(String target, int round, double value) {
    return new Measure(target, "3 nodes", "load", round, "reads and writes", "/s", value);
  }
}
