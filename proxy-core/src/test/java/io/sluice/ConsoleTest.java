package io.sluice;

import static io.sluice.TestRequests.query;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Batch;
import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.accept.ClientFacts;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.ring.Estimates;
import io.sluice.ring.Estimates.Counted;
import io.sluice.ring.TableName;
import io.sluice.ring.TokenRange;
import io.sluice.time.NanoClock;
import io.sluice.time.SystemTime;
import io.sluice.watch.Cluster.EstimatesTry;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.Opcode;
import io.sluice.wire.PreparedId;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests statements about {@code system_proxy}, which the proxy answers itself. */
class ConsoleTest {

  private final PathFixture fixture = new PathFixture(2);

  @AfterEach
  void close() {
    fixture.close();
  }

  private List<List<String>> texts(String cql) throws InterruptedException {
    return texts(fixture.ask(query(cql)).page());
  }

  private static List<List<String>> texts(TestRows.Read page) {
    return page.cells().stream().map(row -> row.stream().map(ConsoleTest::text).toList()).toList();
  }

  private static String text(ByteBuffer cell) {
    return StandardCharsets.UTF_8.decode(cell.duplicate()).toString();
  }

  private static ByteBuffer cell(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private void refused(String cql, int code, String words) throws InterruptedException {
    PathFixture.Asked asked = fixture.ask(query(cql));
    assertThat(asked.answer()).isEqualTo("%04x".formatted(code));
    assertThat(asked.words).contains(words);
  }

  @Test
  void a_table_is_answered_without_a_node() throws InterruptedException {
    assertThat(texts("SELECT data_center, state FROM system_proxy.nodes"))
        .containsExactly(List.of("dc1", "normal"), List.of("dc1", "normal"));
    assertThat(texts("SELECT class FROM system_proxy.queues WHERE class = 'range'")).hasSize(2);
    assertThat(fixture.heard()).isZero();
  }

  @Test
  void a_table_is_answered_although_no_node_is_known() throws InterruptedException {
    fixture.forgetNodes();
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

  private static ClientFacts connection(int port, String role) {
    return new ClientFacts(
        port,
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        role,
        new ClientFacts.Driver("a driver", "1.0", null),
        4,
        "none",
        null,
        0,
        0,
        port * 100L,
        port == 1 ? null : new ClientFacts.Encryption("TLSv1.3", "TLS_AES_128_GCM_SHA256"),
        Instant.EPOCH);
  }

  /** Makes the client {@code alice}. Returns the nodes' answers on whether she is a superuser. */
  private Queue<Boolean> asAlice(boolean superuser) {
    fixture.client.proven = Identity.plain("alice", "secret");
    fixture.clients.add(connection(1, "alice"));
    fixture.clients.add(connection(2, "bob"));
    Queue<Boolean> asked = new ConcurrentLinkedQueue<>();
    fixture.allDo(
        request -> {
          asked.add(superuser);
          return new TestRows("role text, super boolean")
              .row(cell("alice"), ByteBuffer.wrap(new byte[] {(byte) (superuser ? 1 : 0)}))
              .frame();
        });
    return asked;
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
    fixture.forgetNodes();
    refused("SELECT * FROM system_proxy.settings", ErrorCode.SERVER_ERROR, "roles");
  }

  /** Whether the request has a paging state of the proxy, which no node knows. */
  private static boolean goesOn(Frame request) {
    return CqlRequest.of(request) instanceof CqlRequest.Query query
        && query.parameters().pagingState() != null;
  }

  private void nodesHaveSchema() {
    fixture.allDo(
        request ->
            goesOn(request)
                ? CqlCodec.error(4, ErrorCode.INVALID, "Invalid value for the paging state")
                : new TestRows("keyspace_name text")
                    .row(cell("a"))
                    .row(cell("system_views"))
                    .frame());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM system_virtual_schema.keyspaces",
        "SELECT keyspace_name FROM system_virtual_schema.keyspaces"
            + " WHERE keyspace_name IN ('a', 'system_proxy', 'system_views')",
      })
  void the_virtual_schema_has_the_keyspace_of_the_proxy_and_those_of_the_nodes(String cql)
      throws InterruptedException {
    nodesHaveSchema();
    assertThat(texts(cql))
        .containsExactly(List.of("a"), List.of("system_proxy"), List.of("system_views"));
  }

  @Test
  void the_virtual_schema_is_paged() throws InterruptedException {
    nodesHaveSchema();
    ByteBuffer state = null;
    StringBuilder seen = new StringBuilder();
    do {
      TestRows.Read page =
          fixture
              .ask(TestFrames.page("SELECT * FROM system_virtual_schema.keyspaces", 1, state))
              .page();
      texts(page).forEach(row -> seen.append(row.get(0)).append(' '));
      state = page.pagingState();
    } while (state != null);
    assertThat(seen.toString()).isEqualTo("a system_proxy system_views ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT max(keyspace_name) FROM system_virtual_schema.keyspaces",
        "SELECT * FROM system_virtual_schema.tables WHERE table_name = 'x' ALLOW FILTERING",
        "SELECT * FROM system_virtual_schema.tables WHERE keyspace_name > 'x' ALLOW FILTERING",
        "SELECT DISTINCT keyspace_name FROM system_virtual_schema.tables",
      })
  void a_node_answers_a_select_that_the_proxy_cannot_evaluate(String cql)
      throws InterruptedException {
    nodesHaveSchema();
    assertThat(fixture.ask(query(cql)).page().cells()).hasSize(2);
    assertThat(fixture.heard()).isEqualTo(1);
  }

  private static final SplitConfig PIECES =
      new SplitConfig(SplitConfig.Parallel.WAVES, 10, 0, 8, 64 << 20, true);

  private static List<List<String>> meanwhile(PathFixture path, String cql)
      throws InterruptedException {
    return texts(path.ask(query(cql)).pageMeanwhile());
  }

  @Test
  void a_read_that_no_node_answers_is_shown_and_can_be_ended() throws InterruptedException {
    fixture.allDo(request -> null);
    PathFixture.Asked read = fixture.ask(TestRequests.read());
    Awaitility.await().until(() -> fixture.slotsHeld() == 1);
    assertThat(
            meanwhile(
                fixture,
                "SELECT keyspace_name, table_name, class, role FROM system_proxy.requests"))
        .containsExactly(List.of("ks", "t", "point_read", "anonymous"));
    assertThat(
            meanwhile(
                fixture,
                "SELECT JSON estimated_left_ms FROM system_proxy.requests WHERE waited_ms >= 0"))
        .containsExactly(List.of("{\"estimated_left_ms\": null}"));
    assertThat(
            fixture
                .ask(query("DELETE FROM system_proxy.requests WHERE role = 'x'"))
                .answerMeanwhile())
        .isEqualTo("opcode " + Opcode.RESULT);
    assertThat(read.isAnswered()).isFalse();
    fixture
        .ask(query("DELETE FROM system_proxy.requests WHERE table_name = 't'"))
        .answerMeanwhile();
    assertThat(read.answer()).isEqualTo("2200");
    assertThat(read.words).contains("ended by role anonymous from");
    assertThat(texts("SELECT state FROM system_proxy.requests")).isEmpty();
    assertThat(fixture.scheduler.snapshot().nodes())
        .as("reads counted as overload")
        .allMatch(node -> node.point().overloaded() == 0);
  }

  @Test
  void a_write_that_is_ended_may_have_been_executed() throws InterruptedException {
    fixture.allDo(request -> null);
    PathFixture.Asked write = fixture.ask(TestRequests.write());
    Awaitility.await().until(() -> fixture.heard() == 1);
    fixture.ask(query("DELETE FROM system_proxy.requests WHERE class = 'write'")).answerMeanwhile();
    assertThat(write.answer()).isEqualTo("1100");
  }

  @Test
  void a_scan_that_is_ended_frees_its_slots_and_memory() throws InterruptedException {
    try (PathFixture pieces = new PathFixture(3, PIECES)) {
      pieces.allDo(request -> null);
      PathFixture.Asked scan = pieces.ask(query("SELECT * FROM ks.t"));
      Awaitility.await().until(() -> pieces.slotsHeld() > 1);
      assertThat(meanwhile(pieces, "SELECT state FROM system_proxy.requests WHERE pieces > 1"))
          .containsExactly(List.of("reading"));
      pieces.ask(query("DELETE FROM system_proxy.requests WHERE pieces > 0")).answerMeanwhile();
      assertThat(pieces.slotsHeld()).isZero();
      assertThat(scan.answer()).isEqualTo("2200");
      assertThat(pieces.rangeReads.isIdle()).isTrue();
    }
  }

  @Test
  void an_ordinary_role_may_end_no_request() throws InterruptedException {
    asAlice(false);
    refused(
        "DELETE FROM system_proxy.requests WHERE role = 'alice'",
        ErrorCode.UNAUTHORIZED,
        "console.roles");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE FROM system_proxy.nodes WHERE node = 'x'",
        "UPDATE system_proxy.requests SET state = 'x' WHERE id = 1",
        "DELETE FROM system_proxy.requests WHERE nothing = 1",
      })
  void an_unsupported_change_is_refused(String cql) throws InterruptedException {
    assertThat(fixture.ask(query(cql)).answer()).isEqualTo("2200");
  }

  @Test
  void statements_are_shown_without_literals() throws InterruptedException {
    fixture.allDo(request -> TestRequests.rows());
    for (int key = 1; key <= 3; key++) {
      fixture.ask(query("SELECT v FROM ks.t WHERE k = " + key)).answer();
    }
    fixture.allDo(request -> CqlCodec.error(4, ErrorCode.INVALID, "not 'secret'"));
    fixture.ask(query("INSERT INTO ks.t (k, v) VALUES ('secret', 2)")).answer();
    assertThat(texts("SELECT text FROM system_proxy.statements ORDER BY text"))
        .containsExactly(
            List.of("INSERT INTO ks.t (k, v) VALUES (?, ...)"),
            List.of("SELECT v FROM ks.t WHERE k = ?"));
    assertThat(texts("SELECT last_error FROM system_proxy.statements WHERE errors = 1"))
        .containsExactly(List.of("INVALID by a node"));
    assertThat(texts("SELECT text FROM system_proxy.statements WHERE calls = 3 AND rows = 3"))
        .hasSize(1);
  }

  @Test
  void a_text_that_is_not_cql_is_counted_but_not_shown() throws InterruptedException {
    fixture.allDo(request -> CqlCodec.error(4, ErrorCode.SYNTAX_ERROR, "no viable alternative"));
    fixture.ask(query("SELECT secret")).answer();
    fixture.forgetNodes();
    fixture.ask(query("SELEKT secret")).answer();
    assertThat(texts("SELECT digest, text FROM system_proxy.statements WHERE errors = 2"))
        .containsExactly(List.of("others", ""));
  }

  @Test
  void a_role_sees_its_own_statements() throws InterruptedException {
    fixture.allDo(request -> TestRequests.rows());
    fixture.ask(TestRequests.read()).answer();
    asAlice(false);
    fixture.ask(query("SELECT * FROM ks.t WHERE k = 5")).answer();
    assertThat(texts("SELECT text FROM system_proxy.statements"))
        .containsExactly(List.of("SELECT * FROM ks.t WHERE k = ?"));
  }

  @Test
  void a_scan_in_pieces_and_a_batch_are_one_statement_each() throws InterruptedException {
    try (PathFixture pieces = new PathFixture(3, PIECES)) {
      pieces.allDo(request -> TestRequests.rows());
      pieces.ask(query("SELECT v FROM ks.t LIMIT 5000")).answer();
      assertThat(pieces.heard()).as("pieces").isGreaterThan(1);
      String insert = "INSERT INTO ks.t (k, v) VALUES (1, 'a')";
      pieces.ask(batch(insert, insert.replace("1", "2"))).answer();
      assertThat(
              meanwhile(pieces, "SELECT text, class FROM system_proxy.statements WHERE calls = 1"))
          .containsExactlyInAnyOrder(
              List.of("SELECT v FROM ks.t LIMIT ?", "range_read"),
              List.of(
                  "BEGIN BATCH INSERT INTO ks.t (k, v) VALUES (?, ...); ... APPLY BATCH", "write"));
    }
  }

  private static Frame batch(String... statements) {
    List<List<ByteBuffer>> noValues =
        Arrays.stream(statements).map(each -> List.<ByteBuffer>of()).toList();
    return TestFrames.request(
        4,
        9,
        new Batch(
            (byte) 0,
            List.of((Object[]) statements),
            noValues,
            1,
            8,
            QueryOptions.NO_DEFAULT_TIMESTAMP,
            null,
            QueryOptions.NO_NOW_IN_SECONDS));
  }

  @Test
  void a_scan_that_begins_again_has_waited_until_its_first_piece_was_sent()
      throws InterruptedException {
    FakeTable table = new FakeTable(400, 10);
    NanoClock clock = new SystemTime();
    AtomicLong firstHeard = new AtomicLong();
    AtomicInteger heard = new AtomicInteger();
    AtomicInteger changed = new AtomicInteger();
    try (PathFixture pieces = new PathFixture(3, PIECES)) {
      pieces.readsMayTake(Duration.ofMinutes(1));
      pieces.allDo(
          request -> {
            if (heard.getAndIncrement() == 0) {
              firstHeard.set(clock.nanoTime());
            }
            return isLastPiece(request) && changed.incrementAndGet() <= 3
                ? new TestRows("k text").frame()
                : table.answer(request);
          });
      long asked = clock.nanoTime();
      assertThat(pieces.ask(query("SELECT k FROM ks.t LIMIT 5000")).answer()).isEqualTo("rows");
      assertThat(changed.get()).as("beginnings").isEqualTo(4);
      double queued =
          pieces
              .ask(query("SELECT queue_ms FROM system_proxy.statements WHERE calls = 1"))
              .page()
              .cells()
              .get(0)
              .get(0)
              .getDouble(0);
      assertThat(queued).isLessThanOrEqualTo((firstHeard.get() - asked) / 1e6 + 1);
    }
  }

  private static boolean isLastPiece(Frame request) {
    return CqlRequest.of(request) instanceof CqlRequest.Query query
        && query.cql().contains("> ?")
        && !query.cql().contains("<= ?");
  }

  @Test
  void a_tables_reads_and_writes_are_counted_by_class() throws InterruptedException {
    fixture.allDo(request -> TestRequests.rows());
    fixture.ask(TestRequests.read()).answer();
    fixture.ask(query("SELECT v FROM ks.t WHERE k = 2")).answer();
    fixture.ask(TestRequests.write()).answer();
    fixture.ask(query("SELECT v FROM ks.t")).answer();
    fixture.allDo(request -> CqlCodec.error(4, ErrorCode.INVALID, "no such table"));
    fixture.ask(query("SELECT v FROM ks.nothing")).answer();
    assertThat(texts("SELECT keyspace_name, table_name, class FROM system_proxy.tables"))
        .containsExactlyInAnyOrder(
            List.of("ks", "t", "point_read"),
            List.of("ks", "t", "range_read"),
            List.of("ks", "t", "write"));
    assertThat(texts("SELECT class FROM system_proxy.tables WHERE calls = 2 AND rows = 2"))
        .containsExactly(List.of("point_read"));
  }

  @Test
  void links_are_shown_to_their_own_role() throws InterruptedException {
    fixture.allDo(request -> TestRequests.rows());
    fixture.ask(TestRequests.read()).answer();
    assertThat(texts("SELECT role, state FROM system_proxy.links WHERE in_flight = 0"))
        .containsExactly(List.of("anonymous", "open"));
    asAlice(false);
    assertThat(texts("SELECT role FROM system_proxy.links WHERE role = 'anonymous'")).isEmpty();
    refused("SELECT * FROM system_proxy.tables", ErrorCode.UNAUTHORIZED, "alice");
    refused("SELECT * FROM system_proxy.prepared", ErrorCode.UNAUTHORIZED, "alice");
    refused("SELECT * FROM system_proxy.log", ErrorCode.UNAUTHORIZED, "alice");
  }

  @Test
  void the_log_shows_the_lines_of_the_host() throws InterruptedException {
    assertThat(texts("SELECT level, source, text FROM system_proxy.log"))
        .containsExactly(List.of("WARN", "Journal", "Node a is silent"));
  }

  @Test
  void a_node_shows_the_duration_of_its_reads_by_class() throws InterruptedException {
    String all = "SELECT data_center FROM system_proxy.nodes WHERE ";
    fixture.allDo(request -> TestRequests.rows());
    assertThat(texts(all + "point_p50_ms > 0")).isEmpty();
    fixture.ask(TestRequests.read()).answer();
    assertThat(texts(all + "point_p50_ms > 0 AND point_p99_ms > 0")).hasSize(1);
    assertThat(texts(all + "range_p50_ms > 0")).isEmpty();
    fixture.ask(query("SELECT v FROM ks.t")).answer();
    assertThat(texts(all + "range_p50_ms > 0 AND range_p99_ms > 0")).hasSize(1);
  }

  @Test
  void a_queue_shows_the_wait_of_its_oldest_read() throws InterruptedException {
    String waiting = "SELECT class FROM system_proxy.queues WHERE oldest_ms > 0";
    assertThat(texts(waiting)).isEmpty();
    PathFixture.FullSlots full = fixture.fillRangeSlots();
    assertThat(meanwhile(fixture, waiting)).containsExactly(List.of("range"), List.of("range"));
    full.release();
    assertThat(texts(waiting)).isEmpty();
  }

  @Test
  void a_tenant_is_shown_with_its_queued_reads_and_its_work() throws InterruptedException {
    String waiting = "SELECT tenant FROM system_proxy.tenants WHERE weight = 1.0 AND ";
    assertThat(texts(waiting + "served >= 0")).isEmpty();
    PathFixture.FullSlots full = fixture.fillRangeSlots();
    assertThat(meanwhile(fixture, waiting + "range_queued = 1 AND point_queued = 0 AND served = 0"))
        .containsExactly(List.of("other"), List.of("other"));
    full.release();
    assertThat(texts(waiting + "range_queued = 0 AND in_flight = 0 AND served = 1 AND work_ms > 0"))
        .containsExactly(List.of("other"), List.of("other"));
    asAlice(false);
    assertThat(texts(waiting + "served >= 0")).as("rows of another role").isEmpty();
  }

  @Test
  void a_connection_shows_its_tls_and_its_unread_bytes() throws InterruptedException {
    asAlice(true);
    assertThat(texts("SELECT role, tls, driver_name, driver_version FROM system_proxy.clients"))
        .containsExactly(
            List.of("alice", "none", "a driver", "1.0"),
            List.of("bob", "TLSv1.3", "a driver", "1.0"));
    assertThat(
            texts(
                "SELECT role FROM system_proxy.clients"
                    + " WHERE unread_bytes = 200 AND tls_cipher = 'TLS_AES_128_GCM_SHA256'"))
        .containsExactly(List.of("bob"));
  }

  @Test
  void a_table_shows_the_source_of_its_estimates_and_why_nodes_report_none()
      throws InterruptedException {
    String estimates = "SELECT table_name, source FROM system_proxy.estimates WHERE ";
    List<Counted> halves =
        List.of(new Counted(TokenRange.ALL, 10, 50), new Counted(TokenRange.ALL, 20, 80));
    fixture.densities.published(new Estimates(Map.of(new TableName("ks", "t"), halves)));
    fixture.cluster.tried(
        Map.of(
            new TableName("ks", "t"), new EstimatesTry(System.nanoTime() - 2_000_000_000L, null),
            new TableName("ks", "u"), new EstimatesTry(System.nanoTime(), "node 5: down")));
    assertThat(texts(estimates + "ranges = 2 AND mean_partition_bytes = 70 AND age_ms >= 0"))
        .containsExactly(List.of("t", "nodes"));
    assertThat(texts("SELECT JSON asked FROM system_proxy.estimates WHERE table_name = 't'"))
        .singleElement()
        .satisfies(row -> assertThat(row.get(0)).contains("1969-12-31 23:59:5"));
    assertThat(texts(estimates + "error = 'node 5: down'")).containsExactly(List.of("u", "none"));
    assertThat(texts(estimates + "ranges >= 0"))
        .as("values that no node reported are null")
        .hasSize(1);
  }
}
