package io.sluice.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;

/** Tests the files of a run. */
class ReportFolderTest {
  @TempDir private Path temp = Path.of("");

  record Result(String name, double value, List<Integer> each) {}

  @BeforeAll
  static void withoutDisplay() {
    System.setProperty("java.awt.headless", "true");
  }

  @Test
  void results_are_json_with_the_names_of_the_records_fields() throws IOException {
    ReportFolder folder = new ReportFolder(temp.resolve("new").resolve("folder"));

    folder.results(new Result("a", 1.5, List.of(1, 2)));

    assertThat(Files.readString(folder.folder().resolve("results.json")))
        .isEqualToIgnoringWhitespace("{ \"name\": \"a\", \"value\": 1.5, \"each\": [1, 2] }")
        .isEqualTo(ReportFolder.json(new Result("a", 1.5, List.of(1, 2))));
  }

  @Test
  void results_replace_those_of_an_earlier_run() throws IOException {
    ReportFolder folder = new ReportFolder(temp);
    folder.results(Map.of("long", "x".repeat(1000)));

    folder.results(Map.of("a", 1));

    assertThat(temp.resolve("results.json")).content().hasSizeLessThan(100);
  }

  @Test
  void a_chart_is_written_as_png_and_svg() throws IOException {
    XYChart chart = new XYChartBuilder().width(80).height(60).title("a title").build();
    chart.addSeries("s", new double[] {1, 2}, new double[] {3, 4});

    new ReportFolder(temp.resolve("charts")).chart("one", chart);

    Path png = temp.resolve("charts").resolve("one.png");
    assertThat(Files.readAllBytes(png)).startsWith(0x89, 'P', 'N', 'G');
    assertThat(Files.readString(temp.resolve("charts").resolve("one.svg"))).startsWith("<?xml");
  }

  @Test
  void a_file_instead_of_a_folder_is_an_error() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "");

    assertThatThrownBy(() -> new ReportFolder(file).results(Map.of()))
        .isInstanceOf(IOException.class);
  }
}
