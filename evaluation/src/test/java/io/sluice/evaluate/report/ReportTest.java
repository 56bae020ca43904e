package io.sluice.evaluate.report;

import static io.sluice.evaluate.figures.Samples.run;
import static io.sluice.evaluate.figures.Samples.sample;
import static io.sluice.evaluate.figures.Samples.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.evaluate.figures.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  void what_went_wrong_stands_out_above_all_figures() throws IOException {
    String page = Files.readString(Report.write(with(RUN, "node 2 ended"), dir));

    assertThat(page).contains("<p class=\"finding doubt\">node 2 ended</p>", ".finding.doubt {");
    assertThat(page.indexOf("node 2 ended")).isLessThan(page.indexOf("<div class=\"charts\">"));
  }

  @Test
  void a_run_that_was_cut_off_at_once_still_has_a_report() throws IOException {
    assertThat(Report.write(run("scheduling"), dir)).isNotEmptyFile();
  }

  /** A JVM that is ending refuses the hook that ImageIO's files would need. */
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
}
