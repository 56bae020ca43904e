package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.SpawnedCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The launcher script in its own clone. Its Maven and its Java are scripts: Maven records the call
 * and writes a class path, Java prints its arguments.
 */
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
  private static final String MAVEN =
      """
      #!/bin/bash
      if [ "$1" = -version ]; then echo 'Apache Maven 3.9.9'; exit; fi
      echo "$*" >> "$CALLS"
      for word in "$@"; do
        case $word in -Dmdep.outputFile=*) list=${word#*=} ;; esac
      done
      module=$(sed -n 's/.*-pl \\([a-z-]*\\).*/\\1/p' <<< "$*")
      mkdir -p "$module/target/classes"
      if [ -n "${DISK_FULL:-}" ]; then
        echo half > "$module/target/classes/Half.class"
        printf /repo/a.j > "$module/$list"
        echo 'No space left on device' >&2
        exit 1
      fi
      echo whole > "$module/target/classes/Whole.class"
      printf /repo/a.jar:/repo/b.jar > "$module/$list"
      """;
  private static final String JAVA =
      """
      #!/bin/bash
      if [ "$1" = -version ]; then echo 'openjdk version "17.0.1"' >&2; exit; fi
      echo "java $*"
      """;

  private static final Map<String, String> DISK_FULL = Map.of("DISK_FULL", "1");

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path clone;

  @BeforeEach
  void prepare() throws IOException {
    Files.copy(Path.of("..", "sluice"), clone.resolve("sluice"));
    Files.copy(Path.of("..", "pom.xml"), clone.resolve("pom.xml"));
    Files.createDirectories(clone.resolve("proxy-server/src/main"));
    Files.createDirectory(clone.resolve("bin"));
    script("mvn", MAVEN);
    script("java", JAVA);
  }

  private void script(String name, String text) throws IOException {
    Path file = Files.writeString(clone.resolve("bin").resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void a_command_is_built_once_and_then_run() throws Exception {
    assertThat(run("check", "x.yml").out())
        .contains("proxy-server/target/classes:/repo/a.jar:/repo/b.jar ")
        .endsWith("io.sluice.server.SluiceServer check x.yml\n");
    assertThat(run("check", "x.yml").err()).isEmpty();
    assertThat(builds()).hasSize(1);
  }

  @Test
  void a_proxy_ends_when_its_memory_does() throws Exception {
    assertThat(run("server", "x.yml").out()).startsWith("java -XX:+ExitOnOutOfMemoryError ");
  }

  @Test
  void options_of_the_jvm_are_for_the_proxy_only() throws Exception {
    Map<String, String> options = Map.of("SLUICE_JAVA_OPTS", "-Xms1g -Dx=1");

    assertThat(run(List.of("server", "x.yml"), options).out())
        .startsWith("java -XX:+ExitOnOutOfMemoryError -Xms1g -Dx=1 -cp ");
    for (String line : List.of("check x.yml", "fleet init x.yml", "top", "torture", "demo")) {
      assertThat(run(List.of(line.split(" ")), options).out())
          .as(line)
          .startsWith("java ")
          .doesNotContain("-Xms1g");
    }
  }

  @Test
  void a_build_that_failed_on_a_full_disk_starts_again_from_scratch() throws Exception {
    SpawnedCommand cut = run(List.of("check", "x.yml"), DISK_FULL);
    assertThat(cut.exitCode()).isEqualTo(1);
    assertThat(cut.out()).isEmpty();
    assertThat(cut.err()).endsWith("sluice: the build of proxy-server failed\n");

    SpawnedCommand again = run("check", "x.yml");
    assertThat(again.exitCode()).isZero();
    assertThat(again.out()).contains("/repo/a.jar:/repo/b.jar ");
    assertThat(builds()).hasSize(2);
    assertThat(clone.resolve("proxy-server/target/classes"))
        .isDirectoryNotContaining("glob:**Half*");
  }

  @Test
  void a_failed_rebuild_does_not_leave_the_old_list() throws Exception {
    run("check", "x.yml");
    assertThat(run(List.of("build"), DISK_FULL).exitCode()).isEqualTo(1);
    run("check", "x.yml");
    assertThat(builds()).hasSize(3);
  }

  @Test
  void mavens_output_has_no_colours() throws Exception {
    run("check", "x.yml");
    assertThat(builds().get(0)).contains("-Dstyle.color=never");
  }

  @Test
  void the_version_is_printed_without_a_build() throws Exception {
    assertThat(run("--version"))
        .isEqualTo(new SpawnedCommand(0, "Sluice " + Resources.version() + "\n", ""));
    assertThat(builds()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"simulate --help", "simulate fig5 --help", "evaluate -h", "demo --help"})
  void help_before_the_first_build_says_what_the_command_does_and_builds_nothing(String line)
      throws Exception {
    SpawnedCommand help = run(line.split(" "));

    assertThat(help.exitCode()).isZero();
    assertThat(help.out())
        .startsWith("  " + line.substring(0, line.indexOf(' ')))
        .contains("./sluice build");
    assertThat(builds()).isEmpty();
  }

  @Test
  void help_after_a_build_lists_the_options_and_does_not_build_again() throws Exception {
    run("check", "x.yml");
    Files.writeString(clone.resolve("proxy-server/src/main/New.java"), "");

    assertThat(run("check", "--help").out()).endsWith("SluiceServer check --help\n");
    assertThat(builds()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | a command is missing: for example 'sluice demo' ('sluice --help' lists them)",
        "serve | no command 'serve' ('sluice --help' lists them)",
        "cluster | a command is missing: start, status, stop ('sluice cluster --help' lists the"
            + " options)",
        "bench | a command is missing: latency, load ('sluice bench --help' lists the options)",
        "simulate | a command is missing: fig5, cluster ('sluice simulate --help' lists the"
            + " options)",
        "host | a command is missing: plan, apply, status, undo, export, join, memory"
            + " ('sluice host --help' lists the options)",
        "ycsb | a command is missing: load, run ('sluice ycsb --help' lists the options)",
        "evaluate | a command is missing: scheduling, workloads, consistency, open-loop, cache,"
            + " join, colocation, compare ('sluice evaluate --help' lists the options)",
        "server | the configuration file is missing, for example: sluice server sluice.yml"
            + " ('sluice server --help' lists the options)",
      },
      quoteCharacter = '`')
  void a_missing_argument_is_reported_on_one_line_with_exit_code_2(String line, String told)
      throws Exception {
    String[] arguments = line.equals("''") ? new String[0] : line.split(" ");
    assertThat(run(arguments)).isEqualTo(new SpawnedCommand(2, "", "sluice: " + told + "\n"));
    assertThat(builds()).isEmpty();
  }

  @Test
  void torture_is_built_with_the_proxy_that_it_starts() throws Exception {
    SpawnedCommand first = run("torture", "--seed", "7");

    assertThat(first.exitCode()).isZero();
    assertThat(first.out())
        .contains("evaluation/target/classes:/repo/a.jar:/repo/b.jar ")
        .endsWith("io.sluice.torture.TortureCommand --seed 7\n");
    assertThat(builds()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"torture --direct", "torture --judge h.jsonl", "torture --judge=h.jsonl"})
  void torture_without_a_proxy_builds_none(String line) throws Exception {
    assertThat(run(line.split(" ")).out()).contains("io.sluice.torture.TortureCommand ");
    assertThat(builds()).hasSize(1);
    assertThat(builds().get(0)).contains("-pl evaluation ");
  }

  private List<String> builds() throws IOException {
    Path calls = clone.resolve("calls");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  private SpawnedCommand run(String... arguments) throws IOException, InterruptedException {
    return run(List.of(arguments), Map.of());
  }

  private SpawnedCommand run(List<String> arguments, Map<String, String> variables)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("bash", clone.resolve("sluice").toString()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("PATH", clone.resolve("bin") + ":" + System.getenv("PATH"));
    builder.environment().put("CALLS", clone.resolve("calls").toString());
    builder.environment().remove("JAVA_HOME");
    builder.environment().remove("SLUICE_JAVA_OPTS");
    builder.environment().putAll(variables);
    return SpawnedCommand.finish(clone, builder);
  }
}
