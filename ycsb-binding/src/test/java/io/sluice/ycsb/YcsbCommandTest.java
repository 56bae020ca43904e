package io.sluice.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.SpawnedCommand;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command around YCSB's client, as a process. */
@Timeout(120)
class YcsbCommandTest {
  @TempDir private Path temp = Path.of("");

  @Test
  void help_goes_to_stdout_with_exit_code_0() throws Exception {
    SpawnedCommand help = SpawnedCommand.run(temp, YcsbCommand.class, "--help");

    assertThat(help.exitCode()).isZero();
    assertThat(help.out()).startsWith("Usage: sluice ycsb load|run -P WORKLOAD");
    for (ScanMode mode : ScanMode.values()) {
      assertThat(help.out()).contains(mode.property());
    }
    assertThat(help.err()).isEmpty();
  }

  @Test
  void another_command_is_wrong_usage() throws Exception {
    SpawnedCommand wrong = SpawnedCommand.run(temp, YcsbCommand.class, "walk", "-s");

    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.out()).isEmpty();
    assertThat(wrong.err()).startsWith("Usage: sluice ycsb load|run");
  }

  @Test
  void a_missing_workload_is_reported_in_one_line() throws Exception {
    SpawnedCommand wrong = SpawnedCommand.run(temp, YcsbCommand.class, "run", "-P", "workloads/z");

    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.err().lines())
        .containsExactly(
            "sluice: no workload 'workloads/z': neither a file nor one of a, b, c, g, mix91, mix55,"
                + " openloop");
  }
}
