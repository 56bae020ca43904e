package io.sluice.evaluate;

import static io.sluice.evaluate.figures.Samples.run;
import static io.sluice.evaluate.figures.Samples.sample;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.evaluate.figures.RunFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * The command lines of the evaluations, with options that are refused before a node or proxy is
 * started. If one were not refused, the evaluation would find no node at the address of {@code
 * --hosts}.
 */
class CommandsTest {
  private static final CommandLine LINE = EvaluateCommand.commandLine();
  private static final String NOWHERE = "--hosts=127.0.0.1:1";

  @TempDir private Path dir = Path.of("");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int execute(String... arguments) {
    return LINE.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "consistency --nodes=2; --nodes: at least 3, one for each replica",
        "consistency --clients=0; --clients: at least 1",
        "consistency --seconds=0; --seconds: at least 1",
        "consistency --rows=0; --rows: at least 1",
        "consistency --targets=direct,X; --targets: 'X' is none of direct, O, ReS, P, ReS+P,",
        "open-loop --capacity=0; --capacity: above 0",
        "open-loop --capacity=NaN; --capacity: above 0",
        "open-loop --mix=nothing; no workload 'nothing': neither a file nor one of a, b, c,",
        "scheduling --clients=0; --clients: 1 to 10000",
        "scheduling --clients=125,10001; --clients: 1 to 10000",
        "scheduling --mixes=nothing; no workload 'nothing'",
        "scheduling --max-limit=0; --max-limit: at least 1",
        "workloads --rows=nothing; --rows: 'nothing' is none of point, write,",
        "workloads --rows=tenants; --rows: tenants needs nodes that the evaluation starts",
        "workloads --rows=point --vnodes=0; --vnodes: at least 1",
        "workloads --rows=point --replicas=0; --replicas: at least 1",
        "workloads --rows=point --also=x; --also: 'x' is not NAME=HOST:PORT",
        "workloads --rows=point --also=sluice=127.0.0.1:1; --also: there is a 'sluice' already"
      })
  void an_evaluation_refuses_an_option_before_it_starts(String arguments, String start) {
    int code = execute((arguments + " " + NOWHERE + " --out=" + dir).split(" ", -1));

    assertThat(err.toString()).startsWith("sluice: " + start);
    assertThat(code).isEqualTo(1);
    assertThat(out.toString()).isEmpty();
    assertThat(dir).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "cache --rows=0; --rows: at least 1",
        "cache --value-bytes=0; --value-bytes: at least 1",
        "cache --cache-percent=0; --cache-percent: at least 1",
        "cache --clients=0; --clients: at least 1",
        "cache --scans=0; --scans: at least 1",
        "cache --seconds=0; --seconds: at least 1",
        "join --flushes=0; --flushes: at least 1",
        "join --rows=0; --rows: at least 1",
        "join --reads=0,-1; --reads: 0 or more",
        "colocation --nodes=1,0; --nodes: at least 1",
        "colocation --memory=0; --memory: at least 1",
        "colocation --settle-seconds=0; --settle-seconds: at least 1",
        "cache --agent=nowhere.jar; there is no node agent at nowhere.jar; give its jar with --agent"
      })
  void a_study_refuses_an_option_before_it_starts(String arguments, String message) {
    int code =
        execute((arguments + " --dir=" + dir.resolve("nodes") + " --out=" + dir).split(" ", -1));

    assertThat(err.toString()).startsWith("sluice: " + message);
    assertThat(code).isEqualTo(1);
    assertThat(dir).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nothing", "consistency --nothing", "compare", "cache --formats=X"})
  void wrong_usage_has_exit_code_2(String arguments) {
    assertThat(execute(arguments.split(" ", -1))).isEqualTo(2);
  }

  @Test
  void the_rows_of_the_matrix_are_printed_without_a_measurement() {
    assertThat(execute("workloads", "--list", "--rows=point,count")).isZero();

    assertThat(out.toString().lines())
        .containsExactly(
            "point         point reads only: 4 clients; 32 clients; 250 clients; 1000 clients",
            "count         SELECT count(*) of a table: 1 client; 4 clients");
  }

  @Test
  void two_runs_are_compared_on_a_page() throws IOException {
    RunFiles.write(run("scheduling", sample("direct", 1, "single", 10)), dir.resolve("a"));
    RunFiles.write(run("scheduling", sample("direct", 1, "single", 20)), dir.resolve("b"));
    Path page = dir.resolve("page.html");

    assertThat(
            execute(
                "compare",
                dir.resolve("a").toString(),
                dir.resolve("b").resolve("results.json").toString(),
                "--out=" + page))
        .isZero();
    assertThat(Files.readString(page)).contains("<td>10.0</td><td>20.0</td><td>2.00</td>");
    assertThat(out.toString()).isEqualToIgnoringNewLines("comparison: " + page);
  }

  @Test
  void a_run_that_is_not_there_is_named() {
    assertThat(execute("compare", dir.resolve("none").toString(), "b")).isEqualTo(1);
    assertThat(err.toString()).startsWith("sluice: ").contains("none");
  }
}
