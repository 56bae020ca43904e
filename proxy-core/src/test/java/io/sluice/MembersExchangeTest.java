package io.sluice;

import static io.sluice.TestRequests.query;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Query;
import io.sluice.wire.ColumnType;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.FakeNode;
import io.sluice.wire.Frame;
import io.sluice.wire.RowSet;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests SELECTs about the members of the cluster, which the proxy answers with the proxies as
 * members.
 */
class MembersExchangeTest {

  private PathFixture fixture = new PathFixture(2);

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Returns the columns of system.local that these tests read. */
  private static Frame local() {
    return CqlCodec.rows(
        4,
        new RowSet(
            List.of(
                new RowSet.Column("system", "local", "cluster_name", ColumnType.VARCHAR),
                new RowSet.Column("system", "local", "rpc_port", ColumnType.INT)),
            List.of(
                List.of(
                    ByteBuffer.wrap("test".getBytes(StandardCharsets.UTF_8)),
                    ByteBuffer.wrap(new byte[4])))));
  }

  private static boolean asks(Frame request, String cql) {
    return CqlRequest.of(request) instanceof CqlRequest.Query query && query.cql().equals(cql);
  }

  @Test
  void a_read_of_members_is_sent_to_a_node_and_answered_with_proxies() throws InterruptedException {
    fixture.allDo(request -> local());
    assertThat(fixture.ask(query("SELECT * FROM system.local")).answer()).isEqualTo("rows");
    assertThat(fixture.ask(query("SELECT x FROM system.peers")).answer()).isEqualTo("2200");
  }

  /** A node would answer with these, and the node that is asked traces the request. */
  @ParameterizedTest
  @ValueSource(
      strings = {"SELECT key FROM system.local WHERE rpc_port = 1", "SELECT * FROM system.peers"})
  void a_read_of_members_keeps_tracing_warnings_and_payload(String cql)
      throws InterruptedException {
    UUID trace = new UUID(4, 7);
    Queue<Boolean> traced = new ConcurrentLinkedQueue<>();
    Queue<Map<String, String>> payloads = new ConcurrentLinkedQueue<>();
    fixture.allDo(
        request -> {
          traced.add(request.tracing());
          payloads.add(TestFrames.payload(request));
          TestRows rows = new TestRows("key text, rpc_port int");
          return request.tracing()
              ? rows.tracingId(trace).warning("beware").payload("back", (byte) 2).frame()
              : rows.frame();
        });
    TestRows.Read answer = fixture.ask(TestFrames.traced(4, new Query(cql), "in", (byte) 1)).page();
    assertThat(answer.tracingId()).isEqualTo(trace);
    assertThat(answer.warnings()).containsExactly("beware");
    assertThat(answer.payload()).containsOnlyKeys("back");
    assertThat(traced).filteredOn(on -> on).hasSize(1);
    assertThat(payloads).filteredOn(each -> !each.isEmpty()).containsExactly(Map.of("in", "01"));
  }

  /** For example, a node warns of an aggregate only if it computes the aggregate itself. */
  @Test
  void the_node_warns_of_the_statement_of_the_client() throws InterruptedException {
    String cql = "SELECT count(*) FROM system.peers";
    fixture.allDo(
        request -> {
          TestRows rows = new TestRows("peer inet, rpc_port int");
          return asks(request, cql) ? rows.warning("Aggregation query").frame() : rows.frame();
        });
    TestRows.Read answer = fixture.ask(query(cql)).page();
    assertThat(answer.warnings()).containsExactly("Aggregation query");
    assertThat(answer.cells()).hasSize(1);
  }

  /** The proxy itself does not check ALLOW FILTERING. */
  @Test
  void a_statement_that_the_node_refuses_gets_the_error_of_the_node() throws InterruptedException {
    String cql = "SELECT peer FROM system.peers WHERE rpc_port = 1";
    fixture.allDo(
        request ->
            asks(request, cql)
                ? CqlCodec.error(4, 0x2200, "as it might involve data filtering")
                : new TestRows("peer inet, rpc_port int").frame());
    PathFixture.Asked asked = fixture.ask(query(cql));
    assertThat(asked.answer()).isEqualTo("2200");
    assertThat(asked.words).contains("data filtering");
  }

  @Test
  void an_unsupported_read_of_members_ends_only_itself() throws InterruptedException {
    fixture.allDo(request -> local());
    assertThat(fixture.ask(query("SELECT count() FROM system.peers")).answer())
        .isIn("0000", "2200");
    assertThat(fixture.ask(query("SELECT * FROM system.local")).answer()).isEqualTo("rows");
  }

  @Test
  void a_read_of_members_fails_over_when_its_node_dies() throws InterruptedException {
    AtomicInteger asked = new AtomicInteger();
    fixture.allDo(
        request -> asked.getAndIncrement() == 0 ? fixture.dies().answer(request) : local());
    assertThat(fixture.ask(query("SELECT * FROM system.local")).answer()).isEqualTo("rows");
  }

  @Test
  void a_condition_with_an_invalid_value_is_an_error() throws InterruptedException {
    fixture.allDo(request -> local());
    Frame asked = query("SELECT * FROM system.local WHERE rpc_port = 99999999999");
    assertThat(fixture.ask(asked).answer()).isEqualTo("2200");
  }

  @Test
  void a_read_of_members_waits_for_the_only_node_even_if_it_is_slow() throws InterruptedException {
    fixture.close();
    fixture = new PathFixture(1);
    fixture.allDo(
        request -> {
          fixture.nodes.forEach(FakeNode::hangs);
          return null;
        });
    PathFixture.Asked asked = fixture.ask(query("SELECT * FROM system.local"));
    assertThat(asked.answer()).isEqualTo("0000");
    assertThat(asked.words).contains("no node answered within");
  }
}
