package io.sluice.evaluate.report;

import static io.sluice.evaluate.figures.Samples.run;
import static io.sluice.evaluate.figures.Samples.sample;
import static io.sluice.evaluate.figures.Samples.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.evaluate.figures.Run;
import io.sluice.evaluate.figures.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  private static final Run RUN =
      run(
          "scheduling",
          sample("direct", 1, "single", 100),
          sample("O", 1, "single", 80),
          sample("A", 1, "single", 20),
          sample("Sluice", 1, "single", 10));

  @TempDir private Path dir = Path.of("");

  @Test
  void a_report_is_a_page_that_needs_no_other_file_and_charts_of_both_formats() throws IOException {
    String page = Files.readString(Report.write(RUN, dir));

    assertThat(page)
        .contains("data:image/svg+xml;base64,")
        .doesNotContain("http://", "src=\"charts");
    assertThat(page).contains("up to 80 % less").contains("0.250");
    assertThat(dir.resolve("charts/mix-9-1-single-reads-mean.png")).isNotEmptyFile();
    assertThat(Files.readString(dir.resolve("charts/mix-9-1-single-reads-mean.svg")))
        .contains("<svg");
    assertThat(dir.resolve("results.json")).isNotEmptyFile();
    assertThat(dir.resolve("samples.csv")).isNotEmptyFile();
  }

  @Test
  void text_in_a_page_is_text() throws IOException {
    assertThat(Files.readString(Report.write(RUN, dir)))
        .contains("A note with &lt;brackets&gt;.")
        .doesNotContain("<brackets>");
  }

  @Test
  void incidents_are_above_all_figures() throws IOException {
    String page = Files.readString(Report.write(with(RUN, "node 2 ended"), dir));

    assertThat(page).contains("<p class=\"finding doubt\">node 2 ended</p>", ".finding.doubt {");
    assertThat(page.indexOf("node 2 ended")).isLessThan(page.indexOf("<div class=\"charts\">"));
  }

  @Test
  void a_run_that_was_interrupted_at_once_still_has_a_report() throws IOException {
    assertThat(Report.write(run("scheduling"), dir)).isNotEmptyFile();
  }

  /** ImageIO's cache files would need a hook, which a JVM refuses during its shutdown. */
  @Test
  void charts_need_no_hook_of_their_own() {
    Report.prepare();

    assertThat(ImageIO.getUseCache()).isFalse();
  }

  @Test
  void two_runs_are_compared_where_both_have_figures() {
    Run later = run("scheduling", sample("direct", 1, "single", 50), sample("P", 1, "single", 50));
    Comparison comparison = new Comparison(RUN, "a", later, "b");

    assertThat(comparison.rows())
        .singleElement()
        .satisfies(
            row ->
                assertThat(row)
                    .containsExactly(
                        "mix 9:1, 125 clients, single",
                        "direct",
                        "100",
                        "50.0",
                        "0.500",
                        "0",
                        "0"));
    assertThat(comparison.differences()).isEmpty();
    assertThat(comparison.html()).contains("Two runs side by side");
  }

  private static String timesAs(List<Double> before, List<Double> after) {
    return new Comparison(rounds(before), "a", rounds(after), "b").rows().get(0).get(4);
  }

  private static Run rounds(List<Double> means) {
    return run(
        "scheduling",
        IntStream.range(0, means.size())
            .mapToObj(i -> sample("direct", i + 1, "single", means.get(i)))
            .toArray(Sample[]::new));
  }

  @Test
  void a_difference_of_two_runs_is_marked_only_where_their_intervals_do_not_meet() {
    List<Double> ten = List.of(9.9, 10.0, 10.1);

    assertThat(timesAs(ten, List.of(4.9, 5.0, 5.1))).isEqualTo("+0.500");
    assertThat(timesAs(ten, List.of(19.9, 20.0, 20.1))).isEqualTo("!2.00");
    assertThat(timesAs(ten, List.of(9.9, 10.0, 10.1))).isEqualTo("1.00");
    assertThat(timesAs(ten, List.of(1.0, 5.0, 30.0))).as("a wide interval").isEqualTo("1.20");
    assertThat(timesAs(ten, List.of(5.0))).as("no interval").isEqualTo("0.500");
  }

  @Test
  void two_runs_show_each_setting_in_which_they_differ() {
    Comparison comparison =
        new Comparison(
            about(Map.of("settings", Map.of("rows", "100", "nodes", "3", "seed", "1"))),
            "a",
            about(
                Map.of(
                    "settings", Map.of("rows", "100", "nodes", "5"),
                    "machine", Map.of("cores", "2"))),
            "b");

    assertThat(comparison.differences())
        .containsExactly(
            List.of("settings: nodes", "3", "5"),
            List.of("settings: seed", "1", "–"),
            List.of("machine: cores", "–", "2"));
  }

  private static Run about(Map<String, Map<String, String>> about) {
    return new Run(
        "scheduling",
        "now",
        about,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }
}
