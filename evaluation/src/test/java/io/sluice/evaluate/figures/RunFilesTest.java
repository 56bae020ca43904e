package io.sluice.evaluate.figures;

import static io.sluice.evaluate.figures.Samples.failing;
import static io.sluice.evaluate.figures.Samples.run;
import static io.sluice.evaluate.figures.Samples.sample;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
