package io.sluice.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.ProtocolConstants.DataType;
import com.datastax.oss.protocol.internal.request.AuthResponse;
import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.Prepare;
import com.datastax.oss.protocol.internal.request.Startup;
import com.datastax.oss.protocol.internal.response.Authenticate;
import com.datastax.oss.protocol.internal.response.Error;
import com.datastax.oss.protocol.internal.response.result.ColumnSpec;
import com.datastax.oss.protocol.internal.response.result.DefaultRows;
import com.datastax.oss.protocol.internal.response.result.Prepared;
import com.datastax.oss.protocol.internal.response.result.RawType;
import com.datastax.oss.protocol.internal.response.result.RowsMetadata;
import io.sluice.load.RowChecksum;
import io.sluice.testkit.FakeCassandra;
import io.sluice.testkit.FreePorts;
import io.sluice.testkit.SpawnedCommand;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
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

  /** Runs one verified read of a table that was loaded with one row of one field. */
  private SpawnedCommand verifiedRead(List<ByteBuffer> row) throws Exception {
    Path copies = Files.createDirectory(temp.resolve("copies"));
    try (FakeCassandra node = new FakeCassandra(new UUID(1, 1), "dc1", 0)) {
      node.serve(request -> answer(request, row));
      ProcessBuilder run =
          SpawnedCommand.builder(
              YcsbCommand.class,
              "run",
              "-P",
              "workloads/c",
              "-p",
              "recordcount=1",
              "-p",
              "operationcount=1",
              "-p",
              "fieldcount=1",
              "-p",
              "sluice.verify=true",
              "-p",
              "sluice.protocol=4",
              "-p",
              "hosts=127.0.0.1:" + node.address().getPort());
      run.environment().put("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + copies);
      SpawnedCommand ended = SpawnedCommand.finish(temp, run);

      assertThat(copies).isEmptyDirectory();
      assertThat(ended.out()).contains("[OVERALL], Throughput(ops/sec)");
      return ended;
    }
  }

  @Test
  void a_wrong_answer_ends_with_1_after_the_figures() throws Exception {
    SpawnedCommand wrong = verifiedRead(List.of());

    assertThat(wrong.err()).contains("sluice.verify: 1 answers checked, 1 wrong");
    assertThat(wrong.out()).contains("[READ], Return=SHORT_READ, 1");
    assertThat(wrong.exitCode()).isEqualTo(1);
  }

  @Test
  void right_answers_end_with_0() throws Exception {
    ByteBuffer key = text(new LoadedKeys(0, 1, 1, false).name(0));
    ByteBuffer value = text("a");
    long checksum = RowChecksum.of(key, Map.of("field0", value));
    SpawnedCommand right =
        verifiedRead(List.of(key, value, ByteBuffer.allocate(8).putLong(0, checksum)));

    assertThat(right.err()).contains("sluice.verify: 1 answers checked, 0 wrong");
    assertThat(right.out()).contains("[READ], Return=OK, 1");
    assertThat(right.exitCode()).isZero();
  }

  private static @Nullable Message answer(Message request, List<ByteBuffer> row) {
    if (request instanceof Prepare prepare) {
      return new Prepared(
          prepare.cqlQuery.getBytes(StandardCharsets.UTF_8),
          null,
          metadata(column("y_id", DataType.VARCHAR)),
          columns());
    }
    if (request instanceof Execute) {
      Queue<List<ByteBuffer>> rows = new ArrayDeque<>();
      if (!row.isEmpty()) {
        rows.add(row.stream().map(ByteBuffer::duplicate).toList());
      }
      return new DefaultRows(columns(), rows);
    }
    return null;
  }

  private static RowsMetadata columns() {
    return metadata(
        column("y_id", DataType.VARCHAR),
        column("field0", DataType.VARCHAR),
        column("sluice_checksum", DataType.BIGINT));
  }

  private static RowsMetadata metadata(ColumnSpec... columns) {
    return new RowsMetadata(List.of(columns), null, new int[0], null);
  }

  private static ColumnSpec column(String name, int type) {
    return new ColumnSpec(
        "ycsb", "usertable", name, 0, Objects.requireNonNull(RawType.PRIMITIVES.get(type)));
  }

  private static ByteBuffer text(String text) {
    return StandardCharsets.UTF_8.encode(text);
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
