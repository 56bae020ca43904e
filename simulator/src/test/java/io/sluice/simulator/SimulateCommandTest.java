package io.sluice.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Tests {@code sluice simulate}: its options, its output and its errors. */
class SimulateCommandTest {
  private static final String SMALL =
      "cluster --nodes 2 --cores 2 --clients 4 --rows-per-range 50 --max-limit 50"
          + " --warm-up 0.1 --seconds 0.2";

  @TempDir private Path temp = Path.of("");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void withoutDisplay() {
    System.setProperty("java.awt.headless", "true");
  }

  private int run(String line, String... further) {
    CommandLine command =
        SimulateCommand.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    List<String> arguments = new ArrayList<>(Arrays.asList(line.split(" ", -1)));
    arguments.addAll(List.of(further));
    return command.execute(arguments.toArray(String[]::new));
  }

  @Test
  void a_cluster_prints_a_table_with_a_line_for_each_variant() {
    assertThat(run(SMALL + " --rf 1 --variants stock,Sluice,ReS+P")).isZero();

    assertThat(out.toString().lines().map(line -> line.split(" ", -1)[0]))
        .contains("variant", "stock", "Sluice", "ReS+P")
        .doesNotContain("goal");
    assertThat(err.toString()).contains("stock, proxies: 1 0 %", "ReS+P, proxies: 1 100 %");
  }

  @Test
  void each_number_of_proxies_runs_in_turn_and_stock_runs_once() {
    assertThat(run(SMALL + " --rf 1 --proxies 1,3 --variants stock,sluice")).isZero();

    assertThat(out.toString().lines().filter(line -> line.startsWith("stock"))).hasSize(1);
    assertThat(out.toString().lines().filter(line -> line.startsWith("Sluice"))).hasSize(2);
  }

  @Test
  void with_a_death_the_time_until_reads_are_back_is_shown() {
    String line = SMALL + " --rf 1 --proxies 2 --variants Sluice-homes";
    assertThat(run(line)).isZero();
    assertThat(out.toString()).doesNotContain("back s");

    out.getBuffer().setLength(0);
    assertThat(run(line + " --kill 1@0.2 --notice-millis 0")).isZero();
    assertThat(out.toString()).containsPattern("late +back s\\RSluice-homes .* \\d+\\.\\d\\R");
  }

  @Test
  void small_range_reads_have_figures_of_their_own() {
    String line = SMALL + " --rf 1 --variants Sluice --min-limit 10";
    assertThat(run(line)).isZero();
    assertThat(out.toString()).doesNotContain("small ms");

    out.getBuffer().setLength(0);
    assertThat(run(line + " --small-share 0.5 --small-limit 9")).isZero();
    assertThat(out.toString())
        .containsPattern("late +small ms +p99 +max\\RSluice .* [\\d.]+ +[\\d.]+ +[\\d.]+\\R");
  }

  @Test
  void json_holds_the_setting_and_the_outcomes() throws IOException {
    assertThat(run(SMALL + " --rf 2 --variants O,Sluice --json --seed 5")).isZero();

    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.at("/setting/hardware/nodes").asInt()).isEqualTo(2);
    assertThat(json.at("/setting/seed").asLong()).isEqualTo(5);
    assertThat(json.at("/outcomes")).hasSize(2);
    assertThat(json.at("/outcomes/0/variant").asText()).isEqualTo("O");
    assertThat(json.at("/outcomes/1/point/count").asLong()).isPositive();
    assertThat(json.at("/goals").isArray()).isTrue();
    assertThat(json.at("/goals")).isEmpty();
  }

  @Test
  void the_twelve_node_setting_says_which_goals_are_met() throws IOException {
    String line = "cluster --variants Sluice --seed 3 --warm-up 0 --seconds 0.2";
    assertThat(run(line)).isZero();
    assertThat(out.toString()).containsPattern("\\Rgoal +is +at most +met\\R(.*\\R)*over-fetch");

    out.getBuffer().setLength(0);
    assertThat(run(line + " --json")).isZero();
    assertThat(new ObjectMapper().readTree(out.toString()).at("/goals")).hasSize(2);
  }

  @Test
  void the_same_seed_prints_the_same_and_another_seed_does_not() {
    String line = SMALL + " --rf 2 --variants Sluice --json --seed ";
    run(line + 3);
    String first = out.toString();
    out.getBuffer().setLength(0);
    run(line + 3);
    assertThat(out).hasToString(first);

    out.getBuffer().setLength(0);
    run(line + 4);
    assertThat(out.toString()).isNotEqualTo(first);
  }

  @Test
  void a_folder_gets_results_and_charts() {
    Path folder = temp.resolve("out");

    assertThat(run(SMALL + " --rf 1 --variants O --out", folder.toString())).isZero();

    assertThat(folder)
        .isDirectoryContaining("glob:**/results.json")
        .isDirectoryContaining("glob:**/point.png")
        .isDirectoryContaining("glob:**/range.svg");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cluster", "fig5"})
  void an_impossible_folder_is_reported_before_the_simulation(String command) throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "");

    assertThat(run(command + " --out", file.toString())).isEqualTo(1);

    assertThat(err)
        .hasToString(
            "sluice: --out: cannot write to "
                + file
                + ": "
                + file
                + " is not a folder"
                + System.lineSeparator());
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void every_option_sets_its_setting() throws IOException {
    assertThat(
            run(
                "cluster --nodes 3 --cores 1.5 --read-threads 7 --network-micros 50 --shared-cores"
                    + " --crowding 0.1 --rf 2 --vnodes 4 --rows-per-range 20 --unevenness 0.5"
                    + " --estimate-error 0.6 --fixed-micros 30 --row-micros 2 --noise 0.4"
                    + " --rate 50 --point-share 0.9 --min-limit 2 --max-limit 9 --tables 3"
                    + " --skew 0.8 --small-share 0.3 --small-limit 1 --range-proxies 1"
                    + " --warm-up 0.1 --seconds 0.2"
                    + " --slow 1:0.5@0.1-0.2 --slow 2:0.25 --down 3@0.2-0.3 --down 1 --kill 1@0.25 --notice-millis 40 --variants stock --json"))
        .isZero();

    JsonNode setting = new ObjectMapper().readTree(out.toString()).get("setting");
    assertThat(setting)
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    {"hardware": {"nodes": 3, "cores": 1.5, "readThreads": 7,
                       "networkMicros": 50.0, "shared": true, "crowding": 0.1},
                     "data": {"rf": 2, "vnodes": 4, "rowsPerRange": 20.0, "unevenness": 0.5,
                       "estimateError": 0.6},
                     "costs": {"fixedMicros": 30.0, "rowMicros": 2.0, "rowBytes": 1000,
                       "noise": 0.4},
                     "load": {"clients": 0, "rate": 50.0, "pointShare": 0.9, "minLimit": 2,
                       "maxLimit": 9, "tables": 3, "skew": 0.8, "smallShare": 0.3, "smallLimit": 1, "rangeProxies": 1},
                     "proxies": 1,
                     "faults": [
                       {"node": 1, "speed": 0.5, "fromSeconds": 0.1, "toSeconds": 0.2},
                       {"node": 2, "speed": 0.25, "fromSeconds": 0.0, "toSeconds": 1.0E9},
                       {"node": 3, "speed": 0.0, "fromSeconds": 0.2, "toSeconds": 0.3},
                       {"node": 1, "speed": 0.0, "fromSeconds": 0.0, "toSeconds": 1.0E9}],
                     "deaths": [{"proxy": 1, "atSeconds": 0.25, "noticeSeconds": 0.04}],
                     "warmUpSeconds": 0.1, "seconds": 0.2, "seed": 1}
                    """));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cluster --nodes 0 | --nodes: 1 to 1000",
        "cluster --rf 13 | --rf: at most --nodes",
        "cluster --variants X | --variants: there is no X",
        "cluster --proxies 65 | --proxies: 1 to 64",
        "cluster --slow 1 | --slow: '1' is not understood",
        "cluster --slow 1:0.5@3 | --slow: '1:0.5@3' is not understood",
        "cluster --down x | --down: 'x' is not understood",
        "cluster --down 99 | --slow, --down: there is no node 99",
        "cluster --kill 1 | --kill: '1' is not understood",
        "cluster --kill 0@1 | --kill: a proxy from 1, and times of at least 0",
        "cluster --kill 1@1 --kill 1@2 | --kill: a proxy dies once",
        "cluster --kill 2@1 --proxies 3,1 | --kill: there is no proxy 2 of 1",
        "cluster --kill 1@1 --notice-millis -1 | --kill: a proxy from 1, and times of at least 0",
        "cluster --noise -1 | --noise: 0 to 2",
        "fig5 --seeds 1 | --seeds: at least 2",
      })
  void a_value_out_of_range_is_reported_in_one_line(String line, String message) {
    assertThat(run(line)).isEqualTo(1);

    assertThat(err).hasToString("sluice: " + message + System.lineSeparator());
  }

  @ParameterizedTest
  @CsvSource({"--slow 1:0..5", "--slow 1:0.5@1.2.3-4", "--down 1@.-.", "--down 99999999999"})
  void an_infinite_or_invalid_number_is_reported_in_one_line(String option) {
    assertThat(run("cluster " + option)).isEqualTo(1);

    assertThat(err.toString())
        .startsWith("sluice: " + option.split(" ", -1)[0] + ": '")
        .contains("is not understood")
        .hasLineCount(1);
  }

  @Test
  void an_unknown_option_is_a_usage_error_with_a_suggestion() {
    assertThat(run("cluster --node 3")).isEqualTo(2);

    assertThat(err.toString())
        .startsWith("sluice: Unknown options: '--node', '3'; did you mean --nodes?")
        .endsWith("(sluice simulate cluster --help lists the options)" + System.lineSeparator());
  }

  @Test
  void a_missing_command_is_a_usage_error_that_lists_the_commands() {
    assertThat(SimulateCommand.commandLine().setErr(new PrintWriter(err, true)).execute())
        .isEqualTo(2);

    assertThat(err.toString()).startsWith("sluice: a command is missing: fig5, cluster");
  }

  @Test
  void a_value_of_the_wrong_type_is_a_usage_error() {
    assertThat(run("cluster --nodes three")).isEqualTo(2);

    assertThat(err.toString()).startsWith("sluice: Invalid value").hasLineCount(1);
  }

  @Test
  void help_lists_the_options_with_their_defaults() {
    assertThat(run("cluster --help")).isZero();

    assertThat(out.toString()).contains("--estimate-error", "Default: 12", "--variants");
  }

  @Test
  void fig5_prints_a_table_of_orders_with_goals() {
    assertThat(run("fig5 --seeds 2")).isZero();

    assertThat(out.toString())
        .startsWith("Mean response over FIFO's, 2 batches of each size, 95 %:")
        .contains("two-stage", "remaining-work", "over the bound at 1024");
    assertThat(out.toString().lines().filter(line -> line.matches("1024 .*|2 .*|mean .*")))
        .hasSize(3);
  }

  @Test
  void fig5_as_json_has_its_points_and_a_folder_its_chart() throws IOException {
    assertThat(run("fig5 --seeds 2 --json --out", temp.toString())).isZero();

    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.get("points")).hasSize(60);
    assertThat(json).isEqualTo(new ObjectMapper().readTree(temp.resolve("results.json").toFile()));
    assertThat(temp.resolve("fig5.png")).isNotEmptyFile();
  }
}
