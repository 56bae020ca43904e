package io.sluice.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.request.AuthResponse;
import com.datastax.oss.protocol.internal.request.Startup;
import com.datastax.oss.protocol.internal.response.Authenticate;
import com.datastax.oss.protocol.internal.response.Error;
import io.sluice.testkit.FakeCassandra;
import io.sluice.testkit.FreePorts;
import io.sluice.testkit.SpawnedCommand;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
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

  private void assertEndsWith(int exitCode, String reason, String... arguments) throws Exception {
    SpawnedCommand wrong = SpawnedCommand.run(temp, YcsbCommand.class, arguments);

    assertThat(wrong.err().lines()).singleElement().asString().startsWith("sluice: " + reason);
    assertThat(wrong.exitCode()).isEqualTo(exitCode);
    assertThat(wrong.out()).isEmpty();
  }

  @Test
  void wrong_settings_end_with_2() throws Exception {
    assertEndsWith(2, "hosts: missing; give it as -p hosts=...", "run", "-P", "workloads/a");
    assertEndsWith(2, "-P: missing; it names a workload", "run", "-p", "hosts=127.0.0.1");
    assertEndsWith(
        2,
        "-threads: at least 2, one for each class of reads",
        "run",
        "-P",
        "workloads/openloop",
        "-p",
        "hosts=127.0.0.1");
    assertEndsWith(
        2,
        "requestdistribution: 'zipfian' is not uniform, the only value in an open loop",
        "run",
        "-P",
        "workloads/openloop",
        "-threads",
        "2",
        "-p",
        "requestdistribution=zipfian",
        "-p",
        "hosts=127.0.0.1");
  }

  @Test
  void a_host_that_cannot_be_reached_ends_with_1() throws Exception {
    int port = FreePorts.next();
    assertEndsWith(
        1,
        "hosts: Connection refused: /127.0.0.1:" + port,
        "run",
        "-P",
        "workloads/a",
        "-threads",
        "250",
        "-p",
        "hosts=127.0.0.1:" + port);
  }

  @Test
  void a_refused_login_ends_with_1_and_the_answer_of_the_node() throws Exception {
    try (FakeCassandra node = new FakeCassandra(new UUID(1, 1), "dc1", 0)) {
      node.serve(YcsbCommandTest::refuse);

      assertEndsWith(
          1,
          "cassandra.username, cassandra.password: ",
          "load",
          "-P",
          "workloads/a",
          "-p",
          "sluice.protocol=4",
          "-p",
          "cassandra.username=nobody",
          "-p",
          "cassandra.password=wrong",
          "-p",
          "hosts=127.0.0.1:" + node.address().getPort());
    }
  }

  private static @Nullable Message refuse(Message request) {
    if (request instanceof Startup) {
      return new Authenticate("org.apache.cassandra.auth.PasswordAuthenticator");
    }
    return request instanceof AuthResponse
        ? new Error(ProtocolConstants.ErrorCode.AUTH_ERROR, "wrong password")
        : null;
  }
}
