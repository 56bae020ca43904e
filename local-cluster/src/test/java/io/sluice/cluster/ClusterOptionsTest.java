package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The options of a cluster, as the command line reads them. */
class ClusterOptionsTest {
  @TempDir private Path temp = Path.of("");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private static ClusterSpec parsed(String... arguments) {
    Holder holder = new Holder();
    new CommandLine(holder).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments);
    return holder.options.spec();
  }

  @CommandLine.Command
  private static final class Holder {
    @CommandLine.Mixin private final ClusterOptions options = new ClusterOptions();
  }

  @Test
  void without_options_it_is_the_default_cluster() {
    assertThat(parsed()).isEqualTo(ClusterSpec.defaults());
  }

  @Test
  void each_option_reaches_the_spec() {
    ClusterSpec spec =
        parsed(
            ("--nodes 5 --datacenters 2 --vnodes 8 --partitioner random --auth --heap 1g"
                    + " --cassandra 4.1.5 --concurrent-reads 16 --port 9042 --storage-port 7000"
                    + " --jvm-arg=-Da=1 --jvm-arg=-Db=2")
                .split(" ", -1));

    assertThat(spec)
        .isEqualTo(
            ClusterSpec.defaults()
                .withNodes(5, 1)
                .withDatacenters(2)
                .withVnodes(8)
                .withPartitioner(ClusterPartitioner.RANDOM)
                .withAuth(true)
                .withHeap("1g")
                .withCassandra("4.1.5")
                .withConcurrentReads(16)
                .withPorts(9042, 7000)
                .withJvmArg("-Da=1")
                .withJvmArg("-Db=2"));
  }

  @Test
  void numbers_and_booleans_of_yaml_options_are_not_strings() {
    ClusterSpec spec =
        parsed("--yaml", "a=true", "--yaml", "b=12", "--yaml", "c=12ms", "--yaml", "d=-3");

    assertThat(spec.config().yaml())
        .containsEntry("a", true)
        .containsEntry("b", 12L)
        .containsEntry("c", "12ms")
        .containsEntry("d", -3L);
  }

  /** The number is too long for 64 bits, such as a token of another partitioner. */
  @Test
  void a_number_too_large_stays_a_string() {
    assertThat(parsed("--yaml", "a=9999999999999999999").config().yaml())
        .containsEntry("a", "9999999999999999999");
  }

  @Test
  void a_value_out_of_range_is_a_failure() {
    assertThatThrownBy(() -> parsed("--vnodes", "257"))
        .isInstanceOf(ClusterFailure.class)
        .hasMessage("vnodes: 257 is out of range; it can be 1 to 256");
  }

  private int command(String... arguments) {
    return ClusterCommand.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @Test
  void a_folder_without_a_cluster_has_no_status_and_nothing_to_stop() {
    Path dir = temp.resolve("none");

    assertThat(command("status", "--dir", dir.toString())).isEqualTo(1);
    assertThat(command("stop", "--dir", dir.toString())).isZero();

    assertThat(out.toString().lines()).containsExactly("no cluster", "no cluster in " + dir);
    assertThat(dir).doesNotExist();
  }

  @Test
  void a_cluster_that_is_down_is_shown_and_stopped() {
    Path dir = temp.resolve("cluster");
    new ClusterState("x", true, List.of(new ClusterState.Entry("127.0.0.1", 1, 2, -1))).write(dir);

    assertThat(command("status", "--dir", dir.toString())).isEqualTo(1);
    assertThat(command("stop", "--dir", dir.toString())).isZero();

    assertThat(out.toString()).contains("down").endsWith("1 node stopped, " + dir + " removed\n");
    assertThat(dir).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--nodes 21 | nodes: 21 is out of range; it can be 1 to 20",
        "--datacenters 4 | datacenters: 4 is out of range; it can be 1 to 3",
        "--concurrent-reads 1 | concurrent-reads: 1 is out of range; it can be 2 to 1024",
        "--port 70000 | port: 70000 is out of range; it can be 1 to 65535",
        "--storage-port 0 | storage-port: 0 is out of range; it can be 1 to 65535",
        "--heap 4 | heap: '4' is not a size; write it like 400m or 1g",
        "--cassandra 3.11 | cassandra: '3.11' is not a version from 4.0 on; write it like 5.0.9",
      })
  void an_invalid_setting_is_reported_on_one_line_before_anything_starts(
      String options, String message) {
    String[] words = ("start --dir " + temp.resolve("c") + " " + options).split(" ", -1);

    assertThat(command(words)).isEqualTo(1);

    assertThat(err).hasToString("sluice: " + message + System.lineSeparator());
    assertThat(temp.resolve("c")).doesNotExist();
  }
}
