package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.SpawnedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands as processes with their output in a file, of which nothing is lost. */
@Timeout(120)
class SpawnedCommandTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  @Test
  void server_reference_prints_the_reference() throws Exception {
    assertThat(run("server", "--reference"))
        .isEqualTo(new SpawnedCommand(0, Resources.reference(), ""));
  }

  @Test
  void the_printed_reference_is_a_configuration_that_check_accepts() throws Exception {
    Path file = Files.writeString(directory.resolve("all.yml"), run("server", "--reference").out());

    SpawnedCommand check = run("check", file.toString());

    assertThat(check.err()).isEmpty();
    assertThat(check.exitCode()).isZero();
    assertThat(check.out()).startsWith("OK  " + file).contains("admin ");
  }

  @Test
  void help_and_version_go_to_stdout_in_full() throws Exception {
    assertThat(run("--help").out()).contains("server", "check").endsWith("\n");
    assertThat(run("check", "--help").out()).contains("--connect").endsWith("\n");
    assertThat(run("--version").out()).isEqualTo("Sluice " + Resources.version() + "\n");
  }

  @Test
  void explain_prints_its_plan_to_the_end_and_no_log() throws Exception {
    Path schema =
        Files.writeString(
            directory.resolve("schema.cql"), "CREATE TABLE ks.t (k int PRIMARY KEY, v text);");

    SpawnedCommand explain =
        run("explain", "--schema", schema.toString(), "SELECT * FROM ks.t WHERE k = 1");

    assertThat(explain.err()).isEmpty();
    assertThat(explain.exitCode()).isZero();
    assertThat(explain.out())
        .startsWith("Assumed:\n")
        .contains("read ")
        .endsWith("would be let in, and start at once\n");
  }

  @Test
  void a_wrong_command_line_is_one_line_on_stderr_and_exits_with_2() throws Exception {
    assertThat(run())
        .isEqualTo(
            wrong(
                "a command is missing: server, check, top, reload, explain, advise, fleet"
                    + " (sluice --help lists the options)"));
    assertThat(run("server"))
        .isEqualTo(
            wrong(
                "the configuration file is missing, for example: server config.yml"
                    + " (sluice server --help lists the options)"));
    assertThat(run("check", "--conect", "x.yml"))
        .isEqualTo(
            wrong(
                "Unknown option: '--conect'; did you mean --connect?"
                    + " (sluice check --help lists the options)"));
    assertThat(run("serve").err()).startsWith("sluice: Unmatched argument").contains("server");
    assertThat(run("serve").exitCode()).isEqualTo(2);
  }

  @Test
  void check_reports_missing_resources_of_this_machine_with_all_other_faults() throws Exception {
    Path logs = directory.resolve("logs");
    Path file =
        Files.writeString(
            directory.resolve("bad.yml"),
            """
            cluster: {contactPoints: [127.0.0.1, nowhere.invalid], localDatacenter: dc1}
            requestTimeout: 1ms
            scheduling: {rangeSlots: 16, concurrentReads: 4}
            logging:
              level: LOUD
              appenders: [{type: file, archive: false, currentLogFilename: %1$s/sluice.log}]
              loggers:
                io.sluice.slow: {level: INFO, appenders: [
                  {type: file, archive: false, currentLogFilename: %1$s/slow.log}]}
                io.sluice.audit: WARN
            """
                .formatted(logs));

    SpawnedCommand check = run("check", file.toString());

    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(check.out()).isEmpty();
    assertThat(check.err().lines().map(line -> line.replaceFirst("line \\d+, ", "")))
        .startsWith("6 faults in the configuration:")
        .contains(
            "  logging.level: \"LOUD\"",
            "  requestTimeout: \"1ms\"",
            "  scheduling.rangeSlots: 16",
            "  cluster.contactPoints[1]: \"nowhere.invalid\"",
            "  logging.appenders[0].currentLogFilename: \"" + logs + "/sluice.log\"",
            "  logging.loggers.io.sluice.slow.appenders[0].currentLogFilename: \""
                + logs
                + "/slow.log\"");

    Files.createDirectory(logs);
    assertThat(run("check", file.toString()).err()).startsWith("4 faults in the configuration:");
  }

  private static SpawnedCommand wrong(String line) {
    return new SpawnedCommand(2, "", "sluice: " + line + "\n");
  }

  private SpawnedCommand run(String... arguments) throws IOException, InterruptedException {
    return SpawnedCommand.run(directory, SluiceServer.class, arguments);
  }
}
