package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.sluice.it.cluster.CassandraCluster;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The tables with the members of the cluster: they answer every query like a node, but show the
 * proxy.
 */
@CassandraCluster
class SystemTablesIT {

  /** Queries whose answer does not depend on the node. */
  private static final List<String> SAME_ROWS =
      List.of(
          "SELECT key, cluster_name, partitioner, release_version, data_center, rack,"
              + " cql_version, native_protocol_version, bootstrapped FROM system.local",
          "SELECT cluster_name FROM system.local WHERE key = 'local'",
          "SELECT cluster_name FROM system.local WHERE key = 'other'",
          "SELECT cluster_name FROM system.local WHERE key IN ('local', 'x')",
          "SELECT cluster_name AS name, key AS \"Key\" FROM system.local",
          "select Cluster_Name from SYSTEM.Local where KEY='local'",
          "SELECT \"cluster_name\" FROM \"system\".\"local\" WHERE \"key\" = 'local'",
          "/* why */ SELECT key -- here\n FROM system.local LIMIT 1",
          "SELECT JSON key, cluster_name FROM system.local",
          "SELECT count(*) FROM system.local",
          "SELECT count(key) AS n FROM system.local WHERE key = 'local'",
          "SELECT DISTINCT key FROM system.local",
          "SELECT writetime(cluster_name) > 0 FROM system.local",
          "SELECT cast(key as blob) FROM system.local",
          "SELECT nothing FROM system.local",
          "SELECT key FROM system.local WHERE cluster_name = 'sluice local'",
          "SELECT key FROM system.local WHERE cluster_name = 'sluice local' ALLOW FILTERING",
          "SELECT key FROM system.local WHERE key = 1",
          "SELECT * FROM system.\"LOCAL\"",
          "SELECT * FROM system.nothing",
          "SELECT peer FROM system.peers WHERE peer = '9.9.9.9'",
          "SELECT peer FROM system.peers_v2 WHERE peer = '9.9.9.9' AND peer_port = 1",
          "SELECT nothing FROM system.peers_v2",
          "SELECT peer FROM system.peers_v2 WHERE native_port = 1",
          "SELECT peer FROM system.peers WHERE peer > '9.9.9.9'",
          "SELECT count() FROM system.peers",
          "SELECT peer FROM system.peers LIMIT 0",
          "SELECT keyspace_name FROM system_schema.keyspaces WHERE keyspace_name = 'system'",
          "SELECT table_name FROM system_schema.tables WHERE keyspace_name = 'system_auth'",
          "SELECT name FROM system_views.settings WHERE name = 'cluster_name'",
          "SELECT * FROM system_virtual_schema.keyspaces WHERE keyspace_name = 'system_views'",
          "SELECT table_name FROM system_virtual_schema.tables"
              + " WHERE keyspace_name = 'system_views'",
          "SELECT JSON * FROM system_virtual_schema.columns"
              + " WHERE keyspace_name = 'system_views' AND table_name = 'clients'");

  /** Queries of whole tables: the rows differ, but the columns must not. */
  private static final List<String> SAME_COLUMNS =
      List.of(
          "SELECT * FROM system.local",
          "SELECT * FROM system.local WHERE key = 'local'",
          "SELECT * FROM system.peers",
          "SELECT * FROM system.peers_v2",
          "SELECT host_id, tokens, schema_version FROM system.local",
          "SELECT rpc_address, rpc_port, broadcast_address, listen_address FROM system.local",
          "SELECT peer, data_center, rack, tokens FROM system.peers",
          "SELECT peer, peer_port, native_address, native_port FROM system.peers_v2",
          "SELECT JSON * FROM system.local",
          "SELECT count(*) FROM system.peers");

  /** Queries for which a node returns a warning. */
  private static final List<String> WARNED =
      List.of(
          "SELECT count(*) FROM system.peers",
          "SELECT count(peer) FROM system.peers_v2",
          "SELECT count(host_id) FROM system.local",
          "SELECT count(*) FROM system.peers WHERE peer = '9.9.9.9'",
          "SELECT count(*) FROM system.peers WHERE peer IN ('9.9.9.8', '9.9.9.9')");

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rows_that_do_not_name_a_node_are_the_nodes_rows(boolean prepared) throws Exception {
    SameAnswer.of(
        Stage.plain(),
        (target, seen) -> {
          try (CqlSession session = JavaDriver.open(target, Wire.USUAL)) {
            for (String cql : SAME_ROWS) {
              seen.attempt(cql, () -> run(session, cql, prepared));
            }
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"keyspaces", "tables", "columns"})
  void the_virtual_schema_is_the_nodes_and_has_the_console_besides(String table) {
    Stage.plain().needsProxy();
    String all = "SELECT * FROM system_virtual_schema." + table;
    try (CqlSession direct = JavaDriver.open(Stage.plain().direct(), Wire.USUAL);
        CqlSession sluice = JavaDriver.open(Stage.plain().sluice(), Wire.USUAL)) {
      List<Row> shown = sluice.execute(all).all();
      assertThat(texts(shown.stream().filter(row -> !isConsole(row))))
          .isEqualTo(texts(direct.execute(all).all().stream()));
      assertThat(shown).anyMatch(SystemTablesIT::isConsole);
    }
  }

  private static boolean isConsole(Row row) {
    return "system_proxy".equals(row.getString("keyspace_name"));
  }

  private static List<String> texts(Stream<Row> rows) {
    return rows.map(Row::getFormattedContents).toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void columns_and_types_are_the_nodes(boolean prepared) throws Exception {
    SameAnswer.of(
        Stage.plain(),
        (target, seen) -> {
          try (CqlSession session = JavaDriver.open(target, new Wire("V4", "none"))) {
            for (String cql : SAME_COLUMNS) {
              seen.attempt(
                  cql,
                  () -> Transcript.describe(run(session, cql, prepared).getColumnDefinitions()));
            }
          }
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void no_address_of_a_node_is_shown(boolean prepared) {
    Target target = Stage.plain().sluice();
    Stage.plain().needsProxy();
    try (CqlSession session = JavaDriver.open(target, Wire.USUAL)) {
      Set<String> told = new TreeSet<>();
      for (String cql : SAME_COLUMNS) {
        for (Row row : run(session, cql, prepared)) {
          addAddresses(row, told);
        }
      }
      assertThat(told)
          .as("addresses and ports in system tables")
          .noneMatch(SystemTablesIT::isOfAnotherNode)
          .noneMatch(t -> t.contains(Integer.toString(Stage.plain().direct().port())));
      ResultSet here = run(session, "SELECT rpc_address, rpc_port FROM system.local", prepared);
      Row row = here.one();
      assertThat(row).isNotNull();
      assertThat(row.getInetAddress(0)).isEqualTo(target.address().getAddress());
      assertThat(row.getInt(1)).isEqualTo(target.port());
    }
  }

  @Test
  void unsupported_queries_are_refused_with_a_clear_message() {
    Stage.plain().needsProxy();
    try (CqlSession session = JavaDriver.open(Stage.plain().sluice(), Wire.USUAL)) {
      assertThatThrownBy(() -> session.execute("SELECT max(peer) FROM system.peers_v2"))
          .isInstanceOf(InvalidQueryException.class)
          .hasMessageContaining("Sluice");
    }
  }

  /** With tracing and a custom payload, which the nodes of the tests mirror. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void the_other_parts_of_an_answer_are_those_of_the_node(boolean prepared) throws Exception {
    SameAnswer.of(
        Stage.plain(),
        (target, seen) -> {
          try (CqlSession session = JavaDriver.open(target, Wire.USUAL)) {
            for (String cql : Stream.concat(SAME_COLUMNS.stream(), WARNED.stream()).toList()) {
              ExecutionInfo info = traced(session, cql, prepared).getExecutionInfo();
              seen.say("trace id of " + cql, info.getTracingId() != null);
              seen.say("warnings of " + cql, info.getWarnings());
              seen.say("payload of " + cql, info.getIncomingPayload().keySet());
            }
          }
        });
  }

  private static ResultSet traced(CqlSession session, String cql, boolean prepared) {
    Statement<?> asked = prepared ? session.prepare(cql).bind() : SimpleStatement.newInstance(cql);
    Map<String, ByteBuffer> payload = Map.of("sluice-test", ByteBuffer.wrap(new byte[] {1}));
    return session.execute(asked.setTracing(true).setCustomPayload(payload));
  }

  @Test
  void the_trace_of_a_question_about_members_can_be_read() {
    Stage.plain().needsProxy();
    try (CqlSession session = JavaDriver.open(Stage.plain().sluice(), Wire.USUAL)) {
      ResultSet rows = traced(session, "SELECT * FROM system.local", false);
      assertThat(rows.getExecutionInfo().getQueryTrace().getEvents()).isNotEmpty();
    }
  }

  /**
   * Whether the text names another node. With forked nodes, the first node has the same address as
   * the proxy.
   */
  private static boolean isOfAnotherNode(String told) {
    return Stage.plain().cluster().nodes().stream()
        .skip(1)
        .anyMatch(node -> told.contains(node.address().getAddress().getHostAddress()));
  }

  private static void addAddresses(Row row, Set<String> told) {
    row.getColumnDefinitions()
        .forEach(
            column -> {
              Object value = row.getObject(column.getName());
              if (value instanceof InetAddress || value instanceof Integer) {
                told.add(column.getName() + "=" + value);
              } else if (value instanceof String text && text.startsWith("{")) {
                told.add(text);
              }
            });
  }

  private static ResultSet run(CqlSession session, String cql, boolean prepared) {
    return prepared ? session.execute(session.prepare(cql).bind()) : session.execute(cql);
  }
}
