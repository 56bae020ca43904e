package io.sluice.evaluate.figures;

import static io.sluice.evaluate.figures.Samples.failing;
import static io.sluice.evaluate.figures.Samples.run;
import static io.sluice.evaluate.figures.Samples.sample;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFilesTest {
  @TempDir private Path dir = Path.of("");

  @Test
  void what_was_written_is_read_back() throws IOException {
    Run run =
        run(
            "scheduling",
            failing(sample("direct", 1, "single", 12.5), Map.of("TIMEOUT", 2L)),
            sample("Sluice", 1, "range", 3));
    RunFiles.write(run, dir);

    assertThat(RunFiles.read(dir)).isEqualTo(run);
    assertThat(RunFiles.read(dir.resolve("results.json"))).isEqualTo(run);
  }

  @Test
  void files_without_incidents_of_older_versions_are_still_read() throws IOException {
    Run run = run("scheduling", sample("Sluice", 1, "range", 3));
    RunFiles.write(run, dir);
    Path file = dir.resolve("results.json");
    String without = Files.readString(file).replaceFirst("\"incidents\" : \\[ ],", "");
    Files.writeString(file, without);

    assertThat(without).doesNotContain("incidents");
    assertThat(RunFiles.read(dir)).isEqualTo(run);
  }

  @Test
  void csv_has_a_line_of_names_and_quotes_what_needs_it() {
    Run run =
        run(
            "scheduling",
            failing(sample("direct", 1, "single", 12.5), Map.of("A", 1L)),
            Samples.at(sample("x", 1, "single", 1), "open loop, mix91", "say \"50 %\""));

    assertThat(RunFiles.csv(run.samples()))
        .hasSize(3)
        .startsWith(
            "target,group,load,round,requests,count,errors,errorKinds,meanMs,p50Ms,p99Ms,maxMs,perSecond")
        .last()
        .asString()
        .startsWith("x,\"open loop, mix91\",\"say \"\"50 %\"\"\",1,single,100,0,{},1.00000");
    assertThat(RunFiles.csv(run.proxies()).get(1)).endsWith("0.500000,200.000,");
  }

  @Test
  void a_run_without_samples_is_read_back_too() throws IOException {
    Run run = run("cache");
    RunFiles.write(run, dir);

    assertThat(RunFiles.read(dir)).isEqualTo(run);
    assertThat(dir.resolve("samples.csv")).isEmptyFile();
    assertThat(dir.resolve("measures.csv")).doesNotExist();
  }

  @Test
  void figures_that_are_unknown_are_read_back_as_such() throws IOException {
    ProxyUse unknown = new ProxyUse("Sluice", "mix", "load", 1, 0.5, null, null);
    Measure none = new Measure("stock", "disk", "load", 1, "limit", "s", Double.NaN);
    Run run = withFigures(List.of(unknown), List.of(none), List.of());
    RunFiles.write(run, dir);

    assertThat(RunFiles.read(dir)).isEqualTo(run);
    assertThat(Files.readString(dir.resolve("proxies.csv"))).endsWith("1,0.500000,,\n");
    assertThat(Files.readString(dir.resolve("measures.csv"))).endsWith("limit,s,NaN\n");
  }

  @Test
  void curves_are_read_back_with_their_points_in_order() throws IOException {
    Curve curve =
        new Curve(
            "stock",
            "disk",
            "load",
            2,
            "data files",
            "MiB",
            List.of(new Curve.Point(0.25, 1), new Curve.Point(0.5, 3), new Curve.Point(0.75, 2)));
    RunFiles.write(withFigures(List.of(), List.of(), List.of(curve)), dir);

    assertThat(RunFiles.read(dir).curves()).containsExactly(curve);
  }

  private static Run withFigures(List<ProxyUse> uses, List<Measure> measures, List<Curve> curves) {
    return new Run(
        "join", "now", Map.of(), List.of(), uses, measures, curves, List.of("doubt"), List.of());
  }

  @Test
  void a_line_break_and_a_comma_stay_in_their_cell() {
    Measure measure = new Measure("a,b", "two\nlines", "\"", 1, "n", "", 1e9);

    assertThat(RunFiles.csv(List.of(measure)).get(1))
        .isEqualTo("\"a,b\",\"two\nlines\",\"\"\"\",1,n,,1.00000e+09");
  }
}
