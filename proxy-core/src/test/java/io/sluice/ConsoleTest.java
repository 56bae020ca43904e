package io.sluice;

import static io.sluice.TestRequests.query;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.Opcode;
import io.sluice.wire.PreparedId;
import io.sluice.wire.TestFrames;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how statements about {@code system_proxy} are answered, and to which roles. */
class ConsoleTest extends ConsoleFixture {

  @Test
  void a_table_is_answered_without_a_node() throws InterruptedException {
    assertThat(texts("SELECT data_center, state FROM system_proxy.nodes"))
        .containsExactly(List.of("dc1", "normal"), List.of("dc1", "normal"));
    assertThat(texts("SELECT class FROM system_proxy.queues WHERE class = 'range'")).hasSize(2);
    assertThat(fixture.heard()).isZero();
  }

  @Test
  void a_table_is_answered_although_no_node_is_known() throws InterruptedException {
    fixture.view.forgetNodes();
    assertThat(texts("SELECT node FROM system_proxy.nodes")).isEmpty();
    assertThat(texts("SELECT key, value FROM system_proxy.settings WHERE changes = 'restart'"))
        .containsExactly(List.of("cql.port", "9042"));
  }

  @Test
  void every_table_can_be_read_and_described() throws InterruptedException {
    List<List<String>> described = texts("DESCRIBE KEYSPACE system_proxy");
    assertThat(described.get(0).subList(0, 3))
        .containsExactly("system_proxy", "keyspace", "system_proxy");
    for (List<String> table : described.subList(1, described.size())) {
      String name = table.get(2);
      assertThat(table.get(3)).contains("VIRTUAL TABLE system_proxy." + name + " (");
      assertThat(fixture.ask(query("SELECT * FROM system_proxy." + name)).answer())
          .isEqualTo("rows");
      assertThat(texts("DESCRIBE TABLE system_proxy." + name)).hasSize(1);
    }
  }

  @Test
  void a_statement_may_be_prepared_and_is_known_by_its_id() throws InterruptedException {
    String cql = "SELECT value FROM system_proxy.settings WHERE key = ?";
    assertThat(fixture.ask(CqlCodec.prepare(4, cql, null)).answer())
        .isEqualTo("opcode " + Opcode.RESULT);
    PreparedId id = PreparedId.of("sluice/null/" + cql);
    assertThat(fixture.ask(execute(id, "cql.port")).page().cells()).hasSize(1);
    assertThat(fixture.ask(execute(id, "cql.host")).page().cells()).isEmpty();
    assertThat(fixture.heard()).isZero();
  }

  private static Frame execute(PreparedId id, String value) {
    ByteBuffer bound = cell(value);
    return TestFrames.request(
        4,
        9,
        new Execute(
            TestFrames.bytes(id),
            new QueryOptions(
                1,
                List.of(bound),
                Map.of(),
                false,
                -1,
                null,
                8,
                Long.MIN_VALUE,
                null,
                Integer.MIN_VALUE)));
  }

  @Test
  void use_of_the_keyspace_is_not_sent_to_nodes() throws InterruptedException {
    fixture.allDo(request -> TestRequests.rows());
    assertThat(fixture.ask(query("USE system_proxy")).answer())
        .isEqualTo("opcode " + Opcode.RESULT);
    assertThat(texts("SELECT state FROM nodes")).hasSize(2);
    assertThat(fixture.ask(query("LIST ROLES")).answer()).isEqualTo("rows");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM system_proxy.nothing",
        "SELECT nothing FROM system_proxy.nodes",
        "EXPLAIN SELECT * FROM system_proxy.nodes",
        "DESCRIBE TABLE system_proxy.nothing",
        "INSERT INTO system_proxy.nodes (node) VALUES ('x')",
        "TRUNCATE system_proxy.nodes",
        "CREATE KEYSPACE system_proxy WITH replication = {'class': 'SimpleStrategy'}",
        "DROP KEYSPACE system_proxy",
        "CREATE TABLE system_proxy.t (k int PRIMARY KEY)",
        "DELETE node FROM system_proxy.nodes WHERE node = 'x'",
        "UPDATE system_proxy.nodes SET state = 'avoid' WHERE node = 'x' IF EXISTS",
      })
  void an_invalid_statement_is_refused_and_not_sent_to_nodes(String cql)
      throws InterruptedException {
    assertThat(fixture.ask(query(cql)).answer()).isEqualTo("2200");
    assertThat(fixture.heard()).isZero();
  }

  @Test
  void a_superuser_sees_all_rows_and_nodes_are_asked_once() throws InterruptedException {
    Queue<Boolean> asked = asAlice(true);
    assertThat(texts("SELECT role FROM system_proxy.clients"))
        .containsExactly(List.of("alice"), List.of("bob"));
    assertThat(texts("SELECT key FROM system_proxy.settings")).hasSize(2);
    assertThat(asked).hasSize(1);
  }

  @Test
  void another_role_sees_only_its_own_rows() throws InterruptedException {
    asAlice(false);
    assertThat(texts("SELECT role FROM system_proxy.clients")).containsExactly(List.of("alice"));
    assertThat(texts("SELECT state FROM system_proxy.nodes")).hasSize(2);
    refused("SELECT * FROM system_proxy.settings", ErrorCode.UNAUTHORIZED, "console.roles");
  }

  @Test
  void a_role_that_may_not_read_roles_is_no_superuser() throws InterruptedException {
    asAlice(true);
    fixture.allDo(request -> CqlCodec.error(4, ErrorCode.UNAUTHORIZED, "not yours"));
    refused("SELECT * FROM system_proxy.settings", ErrorCode.UNAUTHORIZED, "alice");
  }

  @Test
  void a_client_gets_an_error_when_no_node_can_read_superusers() throws InterruptedException {
    fixture.client.proven = Identity.plain("alice", "secret");
    fixture.view.forgetNodes();
    refused("SELECT * FROM system_proxy.settings", ErrorCode.SERVER_ERROR, "roles");
  }
}
