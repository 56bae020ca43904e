package io.sluice.evaluate.report;

import io.sluice.evaluate.figures.Figures;
import io.sluice.evaluate.figures.Run;
import io.sluice.evaluate.figures.RunFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.imageio.ImageIO;

/**
 * Writes a run as a folder: results.json, CSV, a self-contained HTML page, and charts as PNG and
 * SVG, except for a matrix of workloads.
 */
public final class Report {
  private Report() {}

  /**
   * Writes all files of the report.
   *
   * @return the page
   */
  public static Path write(Run run, Path dir) throws IOException {
    RunFiles.write(run, dir);
    Optional<Study> study = Study.of(run.kind());
    if (study.isPresent()) {
      return new StudyReport(run, study.get()).write(dir);
    }
    List<Charts.Drawn> drawn =
        run.kind().equals(Findings.MATRIX)
            ? List.of()
            : new Charts(new Figures(run.samples()), run.kind().equals("open-loop"))
                .draw(dir.resolve("charts"));
    Path page = dir.resolve("report.html");
    return Files.writeString(
        page, new RunPage(run, drawn, dir.resolve("charts")).html(), StandardCharsets.UTF_8);
  }

  /** Writes a page that compares two runs. */
  public static Path compare(Run a, String nameA, Run b, String nameB, Path page)
      throws IOException {
    return Files.writeString(
        page, new Comparison(a, nameA, b, nameB).html(), StandardCharsets.UTF_8);
  }

  /** Returns the findings, one sentence each, for a terminal. */
  public static List<String> findings(Run run) {
    List<Finding> findings =
        Study.of(run.kind())
            .map(study -> new StudyFindings(run, study).all())
            .orElseGet(() -> new Findings(run).all());
    return findings.stream().map(Finding::sentence).toList();
  }

  /**
   * Checks, before a long measurement, that charts can be drawn, also during a shutdown of the JVM.
   */
  public static void prepare() {
    System.setProperty("java.awt.headless", "true");
    // ImageIO's cache files need a shutdown hook, which cannot be added during a shutdown.
    ImageIO.setUseCache(false);
    try {
      new java.awt.image.BufferedImage(1, 1, java.awt.image.BufferedImage.TYPE_INT_RGB)
          .createGraphics()
          .getFontMetrics()
          .stringWidth("x");
    } catch (RuntimeException | Error e) {
      throw new IllegalArgumentException(
          "cannot draw charts: this Java finds no fonts; install fontconfig and any font", e);
    }
  }
}
