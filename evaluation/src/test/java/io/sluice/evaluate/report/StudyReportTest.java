package io.sluice.evaluate.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.evaluate.figures.Curve;
import io.sluice.evaluate.figures.Measure;
import io.sluice.evaluate.figures.Run;
import io.sluice.evaluate.figures.RunFiles;
import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report of joins that take half the time with all our measures. */
class StudyReportTest {
  @TempDir private Path temp = Path.of("");

  private static Run run(String... incidents) {
    List<Measure> measures = new ArrayList<>();
    for (int round = 1; round <= 3; round++) {
      measures.add(measure("stock", round, "start to NORMAL", 40 + round));
      measures.add(measure("all", round, "start to NORMAL", 20 + round / 2.0));
      measures.add(measure("stock", round, "seeks of the disk", 900));
    }
    return new Run(
        "join",
        "2026-01-01 00:00:00 UTC",
        Map.of("settings", Map.of("command", "./sluice evaluate join")),
        List.of(),
        List.of(),
        measures,
        List.of(
            new Curve(
                "stock",
                "simulated disk",
                "no load",
                1,
                "received",
                "MiB",
                List.of(new Curve.Point(0, 0), new Curve.Point(1, 8)))),
        List.of(incidents),
        List.of("Write-back is not changed: that takes root."));
  }

  private static Measure measure(String target, int round, String name, double value) {
    return new Measure(target, "simulated disk", "no load", round, name, "s", value);
  }

  @Test
  void a_variant_is_compared_with_stock_in_a_sentence() {
    assertThat(Report.findings(run()))
        .singleElement()
        .asString()
        .startsWith(
            "simulated disk, no load: start to NORMAL takes 42.0 s with stock and 21.0 s with all:"
                + " 50 % less (ratio 0.500");
  }

  @Test
  void doubts_come_first() {
    assertThat(Report.findings(run("A node ended."))).first().isEqualTo("A node ended.");
  }

  @Test
  void the_report_is_a_page_and_the_same_as_markdown_with_charts() throws Exception {
    Path page = Report.write(run(), temp);

    assertThat(page).content().contains("Earlier results", "svg+xml", "<h2>Findings");
    assertThat(temp.resolve("report.md"))
        .content()
        .contains(
            "## Earlier results",
            "- simulated disk, no load: start to NORMAL takes",
            "![no load: start to NORMAL](charts/no-load-start-to-normal.png)",
            "| seeks of the disk, s | stock | 900 [900, 900] | 1 |",
            "- Write-back is not changed: that takes root.",
            "| command | ./sluice evaluate join |");
    assertThat(temp.resolve("charts/no-load-start-to-normal.png")).exists();
    assertThat(temp.resolve("charts/simulated-disk-no-load-received.png")).exists();
    assertThat(temp.resolve("measures.csv")).content().contains("start to NORMAL,s,41");
    assertThat(RunFiles.read(temp)).isEqualTo(run());
  }

  @Test
  void each_variant_has_a_colour_of_its_own() throws Exception {
    Report.write(run(), temp);

    BufferedImage chart = ImageIO.read(temp.resolve("charts/no-load-start-to-normal.png").toFile());
    int width = chart.getWidth();
    assertThat(
            IntStream.range(0, width * chart.getHeight())
                .map(i -> chart.getRGB(i % width, i / width) & 0xffffff)
                .boxed()
                .collect(Collectors.toSet()))
        .contains(0x5f6b7a, 0x1d6fd1);
  }

  @Test
  void a_number_that_is_always_zero_has_no_chart() throws Exception {
    Run zeros =
        new Run(
            "join",
            "now",
            Map.of(),
            List.of(),
            List.of(),
            List.of(measure("stock", 1, "start to NORMAL", 0)),
            List.of(),
            List.of(),
            List.of());

    assertThat(Report.write(zeros, temp)).exists();
    assertThat(temp.resolve("charts")).isEmptyDirectory();
  }

  @Test
  void only_studies_of_the_host_have_such_a_report() {
    assertThat(Study.of("cache")).contains(Study.CACHE);
    assertThat(Study.of("join")).contains(Study.JOIN);
    assertThat(Study.of("colocation")).contains(Study.COLOCATION);
    assertThat(Study.of("scheduling")).isEmpty();
  }
}
