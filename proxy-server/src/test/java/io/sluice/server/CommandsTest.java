package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.testkit.FakeCassandra;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The output and the exit codes of the command line. */
class CommandsTest {

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void check_prints_ok_and_a_summary() throws Exception {
    Path file =
        file(
            """
            cql: {port: 9142, advertise: 127.0.0.1}
            cluster:
              contactPoints: [127.0.0.1:19042]
              localDatacenter: dc7
              credentials: {username: sluice, password: hunter2}
            scheduling: {rangeOrder: fifo, readTimeout: 750ms}
            """);

    assertThat(run("check", file.toString())).isZero();
    assertThat(out.toString())
        .startsWith("OK  " + file)
        .contains("0.0.0.0:9142", "127.0.0.1:9042")
        .contains("127.0.0.1:19042 in dc7, as sluice")
        .contains("enforce, range order fifo")
        .contains("point read 750ms, range read as the nodes")
        .contains("http://127.0.0.1:9043/")
        .doesNotContain("hunter2");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void top_refuses_a_column_that_its_table_lacks() {
    assertThat(run("top", "--statements", "--sort", "id")).isEqualTo(2);
    assertThat(err.toString()).contains("id is not a column of the table; it has role, calls");
  }

  @ParameterizedTest
  @ValueSource(strings = {"host:abc", "host:", "host:70000", "[::1"})
  void commands_refuse_what_is_no_address_of_a_proxy(String address) {
    assertThat(run("top", "--once", address)).isEqualTo(2);
    assertThat(run("reload", address)).isEqualTo(2);
    assertThat(err.toString())
        .containsSubsequence("'" + address + "' is not HOST:PORT", "is not HOST:PORT")
        .doesNotContain("Exception");
  }

  @Test
  void commands_name_an_option_about_certificates_that_cannot_be_used() {
    assertThat(run("top", "--once", "--trust", "/none/ca.crt")).isEqualTo(2);
    assertThat(run("reload", "--certificate", "/none/tls.crt")).isEqualTo(2);
    assertThat(err.toString())
        .containsSubsequence(
            "--trust must be a file that exists, not /none/ca.crt",
            "--key must be set where certificate is")
        .doesNotContain("cluster.tls", "Exception");
  }

  private static final String SCHEMA =
      """
      CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 2};
      CREATE TABLE ks.t (k int PRIMARY KEY, v text);
      """;

  private Path schema(String cql) throws IOException {
    return Files.writeString(directory.resolve("schema.cql"), cql);
  }

  @Test
  void explain_prints_what_it_assumes_and_the_plan() throws Exception {
    String schema = schema(SCHEMA).toString();

    assertThat(run("explain", "--schema", schema, "--rows", "ks.t=70000", "SELECT * FROM ks.t"))
        .isZero();
    assertThat(out.toString())
        .startsWith("Assumed:\n  3 idle nodes of one data centre with 16 tokens each")
        .contains("2 copies of each row; 70,000 partitions of one row in ks.t, 1,000 bytes each")
        .contains("pages of 5000 rows")
        .containsPattern("STEP +NODE +RANGE +ROWS +WORK +NOTE")
        .containsPattern("piece 1 +node\\d:9042, node\\d:9042 ")
        .containsPattern("admission .*would be let in, and start at once");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void explain_prints_json_that_a_parser_reads() throws Exception {
    String schema = schema(SCHEMA).toString();

    assertThat(
            run(
                "explain",
                "--schema",
                schema,
                "--json",
                "--nodes",
                "5",
                "--keyspace",
                "ks",
                "SELECT * FROM t WHERE k = 1"))
        .isZero();
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.at("/assumed/nodes").asInt()).isEqualTo(5);
    assertThat(json.at("/plan/0/step").asText()).isEqualTo("read");
    assertThat(json.at("/plan/0/nodes")).hasSize(2);
    assertThat(json.at("/plan/0/rows").isNull()).isTrue();
  }

  @Test
  void explain_names_the_fault_of_its_schema_or_its_statement() throws Exception {
    Path schema = schema("CREATE TABLE ks.t (k int PRIMARY KEY);\n\nCREATE TABLE ks.u (k int);\n");
    assertThat(run("explain", "--schema", schema.toString(), "SELECT * FROM ks.t")).isEqualTo(1);
    assertThat(run("explain", "--schema", directory + "/none", "SELECT * FROM ks.t")).isEqualTo(1);
    assertThat(run("explain", "--schema", directory.toString(), "SELECT 1")).isEqualTo(1);
    assertThat(run("explain", "--schema", schema(SCHEMA).toString(), "DROP TABLE ks.t"))
        .isEqualTo(1);
    assertThat(err.toString().lines().toList())
        .hasSize(4)
        .anyMatch(line -> line.equals("sluice: " + directory + ": Is a directory"))
        .anyMatch(line -> line.contains("schema.cql, line 3: not understood"))
        .anyMatch(line -> line.contains("none: there is no such file"))
        .anyMatch(
            line ->
                line.equals(
                    "sluice: EXPLAIN is for SELECT; other statements go to one node"
                        + " as they came"));
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void advise_refuses_hosts_of_two_data_centres_in_one_line() throws Exception {
    try (FakeCassandra first = new FakeCassandra(new UUID(1, 1), "dc1", 0);
        FakeCassandra second = new FakeCassandra(new UUID(2, 2), "dc2", 0)) {
      first.addPeer(second);
      second.addPeer(first);
      String hosts =
          "127.0.0.1:" + first.address().getPort() + ",127.0.0.1:" + second.address().getPort();

      assertThat(run("advise", "--hosts", hosts, "--seconds", "1")).isEqualTo(1);
    }
    assertThat(err.toString())
        .isEqualToIgnoringNewLines("sluice: --hosts: nodes of one data centre");
  }

  @Test
  void explain_refuses_a_wrong_command_line_with_2() throws Exception {
    String schema = schema(SCHEMA).toString();
    assertThat(run("explain", "SELECT * FROM ks.t")).isEqualTo(2);
    assertThat(run("explain", "--schema", schema)).isEqualTo(2);
    assertThat(run("explain", "--schema", schema, "--nodes", "0", "SELECT")).isEqualTo(2);
    assertThat(run("explain", "--schema", schema, "--rows", "many", "SELECT")).isEqualTo(2);
    assertThat(run("explain", "--schema", schema, "--page-size", "-1", "SELECT")).isEqualTo(2);
    assertThat(err.toString())
        .contains(
            "--schema",
            "0 nodes: must be from 1 to 1000",
            "--rows takes N or",
            "must be at least 0");
  }

  @Test
  void fleet_refuses_a_wrong_command_line_with_2() throws Exception {
    String file =
        file("cluster: {contactPoints: [\"127.0.0.1:1\"], localDatacenter: dc1}\n").toString();

    assertThat(run("fleet")).isEqualTo(2);
    assertThat(run("fleet", "init")).isEqualTo(2);
    for (String wrong : new String[] {"dc1", "dc1:", ":3", "dc1:x", "dc1:3,", "dc1:3,dc1:2", ""}) {
      assertThat(run("fleet", "init", file, "--replication", wrong)).as(wrong).isEqualTo(2);
    }
    assertThat(err.toString())
        .contains("a command is missing: init", "--replication takes DC:N, separated by commas");
  }

  @Test
  void fleet_init_names_contact_points_that_do_not_answer() throws Exception {
    Path file = file("cluster: {contactPoints: [\"127.0.0.1:1\"], localDatacenter: dc1}\n");

    assertThat(run("fleet", "init", file.toString(), "--replication", "dc1:3")).isEqualTo(1);
    assertThat(err.toString()).startsWith("sluice: cluster.contactPoints: none can be reached");
  }

  @Test
  void check_prints_every_fault_and_exits_with_1() throws Exception {
    Path file = file("cql: {prot: 1}\nscheduling: {mode: maybe}\n");

    assertThat(run("check", file.toString())).isEqualTo(1);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines())
        .containsExactly(
            "4 faults in the configuration:",
            "  line 1, cql.prot: 1",
            "      no such key; did you mean port?",
            "  line 2, scheduling.mode: \"maybe\"",
            "      must be one of enforce, observe, passthrough; the default is enforce",
            "  cluster.contactPoints: (not set)",
            "      must name at least one node; write contactPoints: [\"10.0.0.1:9042\"]",
            "  cluster.localDatacenter: (not set)",
            "      must not be empty; write localDatacenter: datacenter1, as `nodetool status`"
                + " names it");
  }

  @Test
  void check_of_the_file_only_needs_no_name_server_and_no_log_folder() throws Exception {
    Path file =
        file(
            """
            cql: {advertise: "proxy.invalid:9042", peers: ["10.0.0.2:9042", "other.invalid:9042"]}
            cluster: {contactPoints: [node.invalid], localDatacenter: dc1}
            logging:
              appenders: [{type: file, currentLogFilename: /none/sluice.log, archive: false}]
            """);

    assertThat(run("check", "--file-only", file.toString())).isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString())
        .startsWith("OK  " + file)
        .contains("proxy.invalid:9042", "10.0.0.2:9042, other.invalid:9042", "node.invalid:9042");
  }

  @Test
  void check_of_the_file_only_finds_the_faults_of_the_file() throws Exception {
    Path file =
        file(
            """
            cql: {advertise: "0.0.0.0:9042"}
            cluster: {contactPoints: [node.invalid], localDatacenter: dc1}
            """);

    assertThat(run("check", "--file-only", file.toString())).isEqualTo(1);
    assertThat(err.toString()).startsWith("1 fault").contains("cql.advertise: \"0.0.0.0:9042\"");
    assertThat(run("check", "--file-only", "--connect", file.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("mutually exclusive");
  }

  @Test
  void server_refuses_what_check_refuses() throws Exception {
    assertThat(run("server", file("cql: {prot: 1}\n").toString())).isEqualTo(1);
    assertThat(err.toString()).contains("cql.prot: 1", "did you mean port?");
  }

  @Test
  void check_connect_names_contact_points_that_do_not_answer() throws Exception {
    Path file = file("cluster: {contactPoints: [\"127.0.0.1:1\"], localDatacenter: dc1}\n");

    assertThat(run("check", "--connect", file.toString())).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("sluice: cluster.contactPoints: none can be reached: 127.0.0.1:1 (")
        .contains("refused");
    assertThat(err.toString().lines()).hasSize(1);
  }

  @Test
  void a_missing_file_is_named() {
    assertThat(run("check", "nowhere.yml")).isEqualTo(1);
    assertThat(err.toString()).startsWith("sluice: ").contains("nowhere.yml");
  }

  @Test
  void a_wrong_command_line_exits_with_2_and_shows_the_usage() {
    assertThat(run("server")).isEqualTo(2);
    assertThat(err.toString()).contains("for example: server config.yml", "sluice server --help");
    assertThat(run("serve")).isEqualTo(2);
    assertThat(run()).isEqualTo(2);
  }

  @Test
  void help_and_version_exit_with_0() {
    assertThat(run("--help")).isZero();
    assertThat(run("server", "--help")).isZero();
    assertThat(run("check", "--help")).isZero();
    assertThat(run("server", "--version")).isZero();
    assertThat(out.toString())
        .contains(
            "server", "check", "--connect", "--reference", "contactPoints", "${NAME:-default}")
        .containsPattern("Sluice \\d+\\.\\d+\\.\\d+");
  }

  @Test
  void server_reference_prints_the_reference() {
    assertThat(run("server", "--reference")).isZero();
    assertThat(out.toString()).isEqualTo(Resources.reference());
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("config.yml"), text);
  }

  private int run(String... arguments) {
    CommandLine command =
        SluiceServer.commandLine(
            (config, registry, waiting, view, tracer) -> {
              throw new IOException("must not be started");
            });
    return command
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
