package io.sluice;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.watch.NodeTimeouts;
import io.sluice.wire.ColumnType;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.FakeNode;
import io.sluice.wire.Frame;
import io.sluice.wire.Opcode;
import io.sluice.wire.PreparedId;
import io.sluice.wire.RowSet;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every request is answered exactly once, its frame is released and its slot given back, whatever
 * nodes do. {@link PathFixture.Asked#answer} looks at all of that.
 */
class ExchangeTest {

  private PathFixture fixture = new PathFixture(2);

  @AfterEach
  void close() {
    fixture.close();
  }

  private static Frame query(String cql) {
    return CqlCodec.query(4, cql);
  }

  private static Frame read() {
    return query("SELECT v FROM ks.t WHERE k = 1");
  }

  private static Frame write() {
    return query("INSERT INTO ks.t (k, v) VALUES (1, 2)");
  }

  private static Frame rows() {
    RowSet.Column column = new RowSet.Column("ks", "t", "v", ColumnType.INT);
    return CqlCodec.rows(
        4, new RowSet(List.of(column), List.of(List.of(ByteBuffer.wrap(new byte[4])))));
  }

  /** Whoever is asked first does this, the others answer with rows. */
  private void firstDoes(FakeNode.Script first) {
    AtomicInteger asked = new AtomicInteger();
    fixture.allDo(request -> asked.getAndIncrement() == 0 ? first.answer(request) : rows());
  }

  /**
   * The node that is asked; the others may just be taking the connection it will be replaced by.
   */
  private FakeNode.Script dies() {
    return request -> {
      fixture.nodes.stream().filter(node -> !node.heard.isEmpty()).forEach(FakeNode::die);
      return null;
    };
  }

  @Test
  void a_read_is_answered_by_one_replica() throws InterruptedException {
    fixture.allDo(request -> rows());
    assertThat(fixture.ask(read()).answer()).isEqualTo("rows");
    assertThat(fixture.heard()).isEqualTo(1);
  }

  @Test
  void a_range_read_is_answered_by_one_replica() throws InterruptedException {
    fixture.allDo(request -> rows());
    assertThat(fixture.ask(query("SELECT * FROM ks.t LIMIT 10")).answer()).isEqualTo("rows");
    assertThat(fixture.heard()).isEqualTo(1);
  }

  @Test
  void a_range_read_waits_without_a_slot_until_its_client_has_caught_up()
      throws InterruptedException {
    fixture.allDo(request -> rows());
    fixture.client.congested = true;
    PathFixture.Asked range = fixture.ask(query("SELECT * FROM ks.t LIMIT 10"));
    Runnable goOn = fixture.client.waitingForDrain.poll(10, TimeUnit.SECONDS);
    assertThat(goOn).isNotNull();
    assertThat(fixture.slotsHeld()).isZero();
    assertThat(fixture.ask(read()).answer()).as("a point read meanwhile").isEqualTo("rows");
    fixture.client.congested = false;
    fixture.client.lane().execute(goOn);
    assertThat(range.answer()).isEqualTo("rows");
    assertThat(fixture.heard()).isEqualTo(2);
  }

  @Test
  void a_range_read_whose_client_never_catches_up_times_out() throws InterruptedException {
    fixture.client.congested = true;
    PathFixture.Asked range = fixture.ask(query("SELECT * FROM ks.t LIMIT 10"));
    assertThat(range.answer()).isEqualTo("1200");
    Runnable late = fixture.client.waitingForDrain.remove();
    fixture.client.congested = false;
    fixture.client.lane().execute(late);
    assertThat(fixture.ask(read()).answer()).isEqualTo("1200");
    assertThat(fixture.heard()).as("the late one is not sent").isEqualTo(1);
  }

  @Test
  void a_read_whose_node_dies_goes_on_to_another_replica() throws InterruptedException {
    firstDoes(dies());
    assertThat(fixture.ask(read()).answer()).isEqualTo("rows");
    assertThat(fixture.heard()).isEqualTo(2);
  }

  @Test
  void a_read_whose_node_is_overloaded_goes_on_to_another_replica() throws InterruptedException {
    firstDoes(request -> CqlCodec.error(4, ErrorCode.OVERLOADED, "busy"));
    assertThat(fixture.ask(read()).answer()).isEqualTo("rows");
  }

  @Test
  void a_read_that_all_call_overloaded_is_told_so() throws InterruptedException {
    fixture.allDo(request -> CqlCodec.error(4, ErrorCode.OVERLOADED, "busy"));
    assertThat(fixture.ask(read()).answer()).isEqualTo("1001");
    assertThat(fixture.heard()).isEqualTo(2);
  }

  /** Each read that is repeated is more load for a cluster that has too much. */
  @ParameterizedTest
  @ValueSource(strings = {"SELECT v FROM ks.t WHERE k = 1", "SELECT v FROM ks.t LIMIT 5"})
  void a_read_that_a_node_sheds_is_sent_to_one_other_replica_and_no_further(String cql)
      throws InterruptedException {
    fixture.close();
    fixture = new PathFixture(5);
    for (int code : new int[] {ErrorCode.OVERLOADED, ErrorCode.IS_BOOTSTRAPPING}) {
      int before = fixture.heard();
      fixture.allDo(request -> CqlCodec.error(4, code, "busy"));
      assertThat(fixture.ask(query(cql)).answer()).isEqualTo("%04x".formatted(code));
      assertThat(fixture.heard() - before).isEqualTo(2);
    }
  }

  /** Links that were refused once fail at once, one after another: that must not nest. */
  @Test
  void requests_that_none_of_a_thousand_nodes_can_be_reached_for_leave_nothing_behind()
      throws InterruptedException {
    fixture.close();
    fixture = PathFixture.unreachable(1_000);
    for (int i = 0; i < 4; i++) {
      assertThat(fixture.ask(read()).answer()).isIn("1000", "1200");
      assertThat(fixture.ask(write()).answer()).isIn("1000", "1100");
    }
  }

  @Test
  void a_read_whose_node_falls_silent_goes_on_to_another_replica() throws InterruptedException {
    fixture.allDo(request -> fixture.heard() == 1 ? silence() : rows());
    assertThat(fixture.ask(read()).answer()).isEqualTo("rows");
  }

  /** As when its machine has lost its power: nothing was sent yet, so a write may move, too. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void what_a_node_takes_no_connection_for_goes_on_to_another(int gone)
      throws InterruptedException {
    fixture.allDo(request -> rows());
    fixture.nodes.get(gone).hangs();
    PathFixture.Asked read = fixture.ask(read());
    PathFixture.Asked write = fixture.ask(write());
    assertThat(read.answer()).isEqualTo("rows");
    assertThat(write.answer()).isEqualTo("rows");
  }

  private @Nullable Frame silence() {
    fixture.nodes.stream().filter(node -> !node.heard.isEmpty()).forEach(FakeNode::hangs);
    return null;
  }

  @Test
  void a_read_nobody_answers_times_out_at_its_deadline() throws InterruptedException {
    assertThat(fixture.ask(read()).answer()).isEqualTo("1200");
  }

  @Test
  void a_read_that_no_node_can_be_reached_for_is_unavailable() throws InterruptedException {
    fixture.nodes.forEach(FakeNode::close);
    assertThat(fixture.ask(read()).answer()).isEqualTo("1000");
  }

  @Test
  void other_errors_of_a_node_are_handed_on() throws InterruptedException {
    fixture.allDo(request -> CqlCodec.readTimeout(4, "slow", 1, 0, 1));
    assertThat(fixture.ask(read()).answer()).isEqualTo("1200");
    fixture.allDo(request -> CqlCodec.error(4, ErrorCode.INVALID, "no such column"));
    assertThat(fixture.ask(read()).answer()).isEqualTo("2200");
    assertThat(fixture.heard()).isEqualTo(2);
  }

  /** The links are shared: what cannot be read ends the request that it answers and no other. */
  @Test
  void an_answer_that_cannot_be_read_ends_its_own_request_only() throws InterruptedException {
    fixture.close();
    fixture = new PathFixture(1);
    AtomicInteger asked = new AtomicInteger();
    fixture.allDo(
        request ->
            asked.getAndIncrement() < 2 ? TestFrames.of("84 00 0000 00 00000002 0001") : rows());
    assertThat(fixture.ask(read()).answer()).isEqualTo("0000");
    assertThat(fixture.ask(write()).answer()).isEqualTo("0000");
    int connections = fixture.nodes.get(0).connections();
    assertThat(fixture.ask(read()).answer()).isEqualTo("rows");
    assertThat(fixture.nodes.get(0).connections()).isEqualTo(connections).isEqualTo(1);
  }

  @Test
  void a_client_that_left_leaves_nothing_behind() throws InterruptedException {
    fixture.allDo(request -> rows());
    PathFixture.Asked asked = fixture.new Asked(read());
    asked.open = false;
    fixture
        .client
        .lane()
        .execute(
            () ->
                fixture.path.handle(
                    new io.sluice.accept.ClientRequest(asked.request, fixture.client, asked)));
    assertThat(asked.answer()).isEqualTo("1200");
    assertThat(fixture.heard()).isZero();
  }

  @Test
  void a_write_that_may_have_happened_is_not_repeated() throws InterruptedException {
    firstDoes(dies());
    assertThat(fixture.ask(write()).answer()).isEqualTo("1100");
    assertThat(fixture.heard()).isEqualTo(1);
  }

  @Test
  void a_write_that_was_not_sent_goes_to_the_next_node() throws InterruptedException {
    fixture.allDo(request -> CqlCodec.ready(4));
    fixture.nodes.get(0).close();
    assertThat(fixture.ask(write()).answer()).isEqualTo("opcode 2");
    assertThat(fixture.nodes.get(1).heard).containsExactly(Opcode.QUERY);
  }

  @Test
  void a_write_nobody_answers_times_out() throws InterruptedException {
    assertThat(fixture.ask(write()).answer()).isEqualTo("1100");
    assertThat(fixture.heard()).isEqualTo(1);
  }

  /** Cassandra gives them a minute and more, and carries them out. */
  @Test
  void a_truncate_or_schema_change_is_waited_for_longer_than_a_write() throws InterruptedException {
    List<PathFixture.Asked> slow =
        List.of(
            fixture.ask(query("TRUNCATE ks.t")),
            fixture.ask(query("CREATE INDEX i ON ks.t (v)")),
            fixture.ask(query("GRANT SELECT ON ks.t TO r")));
    assertThat(fixture.ask(write()).answer()).isEqualTo("1100");
    assertThat(slow).allMatch(each -> !each.isAnswered());
    fixture.nodes.forEach(FakeNode::die);
    assertThat(slow.get(0).answer()).as("TRUNCATE_ERROR").isEqualTo("1003");
    assertThat(slow.get(1).answer()).as("drivers repeat a SERVER_ERROR").isEqualTo("1100");
    assertThat(slow.get(2).answer()).isEqualTo("1100");
  }

  @Test
  void a_truncate_has_as_long_as_the_nodes_are_configured_to() throws InterruptedException {
    fixture.configured(
        new NodeTimeouts(ZERO, ZERO, ZERO, ZERO, ZERO, Duration.ofMillis(900), ZERO, ZERO));
    PathFixture.Asked truncate = fixture.ask(query("TRUNCATE ks.t"));
    PathFixture.Asked change = fixture.ask(query("CREATE INDEX i ON ks.t (v)"));
    assertThat(truncate.answer()).isEqualTo("1003");
    assertThat(change.isAnswered()).isFalse();
  }

  @Test
  void a_write_that_no_node_can_be_reached_for_is_unavailable() throws InterruptedException {
    fixture.nodes.forEach(FakeNode::close);
    assertThat(fixture.ask(write()).answer()).isEqualTo("1000");
  }

  @Test
  void without_nodes_everything_is_refused() throws InterruptedException {
    fixture.forgetNodes();
    assertThat(fixture.ask(read()).answer()).isEqualTo("1000");
    assertThat(fixture.ask(write()).answer()).isEqualTo("1000");
    assertThat(fixture.ask(CqlCodec.prepare(4, "SELECT 1", null)).answer()).isEqualTo("0000");
  }

  @Test
  void a_use_that_works_moves_the_client() throws InterruptedException {
    fixture.allDo(request -> TestFrames.used(4, "Ks"));
    assertThat(fixture.ask(query("USE \"Ks\"")).answer()).isEqualTo("opcode 8");
    assertThat(fixture.client.keyspace()).isEqualTo("Ks");
  }

  /**
   * Nothing of the path may throw; but if something does, the client is told, and nothing leaks.
   */
  @Test
  void what_throws_while_a_request_is_understood_is_a_server_error() throws InterruptedException {
    fixture.allDo(request -> rows());
    for (Throwable thrown :
        List.of(
            new IllegalStateException("x"), new AssertionError("x"), new StackOverflowError())) {
      fixture.breaks(thrown);
      PathFixture.Asked asked = fixture.ask(read());
      assertThat(asked.answer()).isEqualTo("0000");
      assertThat(asked.words).contains(thrown.getClass().getSimpleName());
    }
    fixture.breaks(null);
    assertThat(fixture.ask(read()).answer()).isEqualTo("rows");
  }

  private static Frame execute(PreparedId id) {
    return TestFrames.request(
        4, 9, new Execute(id.toString().getBytes(StandardCharsets.UTF_8), QueryOptions.DEFAULT));
  }

  @Test
  void what_nobody_prepared_is_unprepared() throws InterruptedException {
    assertThat(fixture.ask(execute(TestFrames.id("x"))).answer()).isEqualTo("2500");
    assertThat(fixture.heard()).isZero();
  }

  /** Prepares a point read whose id the nodes then forget; answers how often it was prepared. */
  private AtomicInteger prepareAndForget(PreparedId id, boolean loaded, boolean forGood)
      throws InterruptedException {
    AtomicInteger prepared = new AtomicInteger();
    AtomicInteger executed = new AtomicInteger();
    fixture.allDo(
        request -> {
          if (request.opcode() == Opcode.PREPARE) {
            prepared.incrementAndGet();
            return TestFrames.prepared(4, id, "v");
          }
          return forGood || executed.getAndIncrement() == 0
              ? TestFrames.unprepared(4, id, loaded)
              : rows();
        });
    Frame prepare = CqlCodec.prepare(4, "SELECT v FROM ks.t WHERE k = 1", null);
    assertThat(fixture.ask(prepare).answer()).isEqualTo("opcode 8");
    return prepared;
  }

  private static PreparedId sameAs(String id) {
    return TestFrames.id(TestFrames.id(id).toString());
  }

  @Test
  void a_forgotten_statement_is_prepared_again_and_nobody_notices() throws InterruptedException {
    for (boolean loaded : new boolean[] {false, true}) {
      AtomicInteger prepared = prepareAndForget(sameAs("x"), loaded, false);
      assertThat(fixture.ask(execute(TestFrames.id("x"))).answer()).isEqualTo("rows");
      assertThat(prepared).hasValue(2);
    }
  }

  private static Frame executeSkippingMetadata(PreparedId id) {
    return TestFrames.request(
        4,
        9,
        new Execute(
            id.toString().getBytes(StandardCharsets.UTF_8),
            new QueryOptions(
                1,
                List.of(),
                java.util.Map.of(),
                true,
                -1,
                null,
                8,
                QueryOptions.NO_DEFAULT_TIMESTAMP,
                null,
                QueryOptions.NO_NOW_IN_SECONDS)));
  }

  /** UNPREPARED is how a driver learns that the columns of a statement have changed. */
  @Test
  void a_forgotten_statement_whose_columns_have_changed_is_the_clients_to_prepare()
      throws InterruptedException {
    PreparedId id = sameAs("x");
    AtomicInteger prepared = prepareAndForget(id, false, false);
    fixture.allDo(
        request -> {
          if (request.opcode() == Opcode.PREPARE) {
            prepared.incrementAndGet();
            return TestFrames.prepared(4, id, "v", "new");
          }
          return prepared.get() < 2 ? TestFrames.unprepared(4, id, false) : bareRows(2);
        });
    assertThat(fixture.ask(executeSkippingMetadata(TestFrames.id("x"))).answer()).isEqualTo("2500");
    assertThat(fixture.ask(executeSkippingMetadata(TestFrames.id("x"))).answer())
        .as("until it has prepared again")
        .isEqualTo("2500");
    Frame prepare = CqlCodec.prepare(4, "SELECT v FROM ks.t WHERE k = 1", null);
    assertThat(fixture.ask(prepare).answer()).isEqualTo("opcode 8");
    assertThat(fixture.ask(executeSkippingMetadata(TestFrames.id("x"))).answer()).isEqualTo("rows");
  }

  /** Another client may have prepared the statement at the node after the columns had changed. */
  @Test
  void rows_with_other_columns_than_the_client_knows_are_answered_as_unprepared()
      throws InterruptedException {
    PreparedId id = sameAs("x");
    prepareAndForget(id, false, false);
    fixture.allDo(request -> bareRows(2));
    assertThat(fixture.ask(executeSkippingMetadata(TestFrames.id("x"))).answer()).isEqualTo("2500");
  }

  private static Frame bareRows(int columns) {
    return TestFrames.of(
        "84 00 0000 08 00000010 00000002 00000004 %08x 00000000".formatted(columns));
  }

  @Test
  void a_statement_that_stays_forgotten_is_healed_once() throws InterruptedException {
    AtomicInteger prepared = prepareAndForget(sameAs("x"), false, true);
    assertThat(fixture.ask(execute(TestFrames.id("x"))).answer()).isEqualTo("2500");
    assertThat(prepared).hasValue(2);
  }

  @Test
  void a_healing_that_fails_hands_on_what_the_node_said_first() throws InterruptedException {
    PreparedId id = sameAs("x");
    prepareAndForget(id, false, true);
    fixture.allDo(
        request ->
            request.opcode() == Opcode.PREPARE
                ? CqlCodec.error(4, ErrorCode.INVALID, "table gone")
                : TestFrames.unprepared(4, id, true));
    assertThat(fixture.ask(execute(TestFrames.id("x"))).answer()).isEqualTo("2500");
  }

  @Test
  void a_node_that_dies_in_a_healing_hands_on_what_it_said_first() throws InterruptedException {
    PreparedId id = sameAs("x");
    prepareAndForget(id, false, true);
    fixture.allDo(
        request ->
            request.opcode() == Opcode.PREPARE
                ? dies().answer(request)
                : TestFrames.unprepared(4, id, false));
    assertThat(fixture.ask(execute(TestFrames.id("x"))).answer()).isEqualTo("2500");
  }

  @Test
  void a_node_that_falls_silent_in_a_healing_is_left_for_another() throws InterruptedException {
    PreparedId id = sameAs("x");
    prepareAndForget(id, false, true);
    AtomicInteger asked = new AtomicInteger();
    fixture.nodes.forEach(
        node ->
            node.does(
                request -> {
                  if (request.opcode() == Opcode.PREPARE) {
                    node.hangs();
                    return null;
                  }
                  return asked.getAndIncrement() == 0
                      ? TestFrames.unprepared(4, id, false)
                      : rows();
                }));
    assertThat(fixture.ask(execute(TestFrames.id("x"))).answer()).isEqualTo("rows");
  }

  /** What nodes know of themselves, as far as these tests ask. */
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

  @Test
  void a_question_about_members_is_asked_of_a_node_and_answered_for_the_proxy()
      throws InterruptedException {
    fixture.allDo(request -> local());
    assertThat(fixture.ask(query("SELECT * FROM system.local")).answer()).isEqualTo("rows");
    assertThat(fixture.ask(query("SELECT x FROM system.peers")).answer()).isEqualTo("2200");
  }

  /** As a node would answer it, and the node that is asked does trace it. */
  @ParameterizedTest
  @ValueSource(
      strings = {"SELECT key FROM system.local WHERE rpc_port = 1", "SELECT * FROM system.peers"})
  void a_question_about_members_keeps_tracing_warnings_and_payload(String cql)
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
    TestRows.Read answer =
        fixture
            .ask(
                TestFrames.traced(
                    4, new com.datastax.oss.protocol.internal.request.Query(cql), "in", (byte) 1))
            .page();
    assertThat(answer.tracingId()).isEqualTo(trace);
    assertThat(answer.warnings()).containsExactly("beware");
    assertThat(answer.payload()).containsOnlyKeys("back");
    assertThat(traced).filteredOn(on -> on).hasSize(1);
    assertThat(payloads).filteredOn(each -> !each.isEmpty()).containsExactly(Map.of("in", "01"));
  }

  @Test
  void a_question_about_members_that_cannot_be_worked_out_ends_itself_only()
      throws InterruptedException {
    fixture.allDo(request -> local());
    assertThat(fixture.ask(query("SELECT count() FROM system.peers")).answer())
        .isIn("0000", "2200");
    assertThat(fixture.ask(query("SELECT * FROM system.local")).answer()).isEqualTo("rows");
  }

  @Test
  void a_question_about_members_goes_on_when_its_node_dies() throws InterruptedException {
    AtomicInteger asked = new AtomicInteger();
    fixture.allDo(request -> asked.getAndIncrement() == 0 ? dies().answer(request) : local());
    assertThat(fixture.ask(query("SELECT * FROM system.local")).answer()).isEqualTo("rows");
  }

  @Test
  void a_condition_that_no_cell_can_have_is_an_error_of_its_own() throws InterruptedException {
    fixture.allDo(request -> local());
    Frame asked = query("SELECT * FROM system.local WHERE rpc_port = 99999999999");
    assertThat(fixture.ask(asked).answer()).isEqualTo("2200");
  }

  @Test
  void the_only_node_is_waited_for_although_it_is_slow() throws InterruptedException {
    fixture.close();
    fixture = new PathFixture(1);
    fixture.allDo(request -> silence());
    PathFixture.Asked asked = fixture.ask(query("SELECT * FROM system.local"));
    assertThat(asked.answer()).isEqualTo("0000");
    assertThat(asked.words).contains("no node answered within");
  }

  @Test
  void a_node_that_hangs_in_a_clients_handshake_is_left_for_another() throws InterruptedException {
    fixture.nodes.get(0).hangs();
    assertThat(fixture.startup(CqlCodec.startup(4, java.util.Map.of())).answer())
        .isEqualTo("opcode 2");
    fixture.nodes.get(0).recovers();
    fixture.nodes.get(1).hangs();
    assertThat(fixture.startup(CqlCodec.startup(4, java.util.Map.of())).answer())
        .isEqualTo("opcode 2");
  }

  /** Its links were idle and closed, and its password has been changed since. */
  @Test
  void a_session_whose_login_is_not_accepted_any_more_ends_so_that_its_client_logs_in_again()
      throws InterruptedException {
    fixture.nodes.forEach(
        node ->
            node.admits(
                request ->
                    CqlCodec.error(4, ErrorCode.BAD_CREDENTIALS, "username and/or password")));
    PathFixture.Asked asked = fixture.ask(write());
    assertThat(asked.answer()).isEqualTo("0100");
    assertThat(asked.words).contains("closes it").endsWith("username and/or password");
    assertThat(fixture.client.ended).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void a_node_that_cannot_read_its_roles_is_left_for_another(int unable)
      throws InterruptedException {
    fixture.allDo(request -> rows());
    fixture
        .nodes
        .get(unable)
        .admits(
            request ->
                CqlCodec.error(
                    4, ErrorCode.BAD_CREDENTIALS, "Unable to perform authentication: no quorum"));
    assertThat(fixture.ask(read()).answer()).isEqualTo("rows");
    assertThat(fixture.ask(write()).answer()).isEqualTo("rows");
    assertThat(fixture.client.ended).isFalse();
  }

  @Test
  void a_client_is_told_when_no_node_can_let_it_in() throws InterruptedException {
    fixture.nodes.forEach(FakeNode::close);
    assertThat(fixture.startup(CqlCodec.startup(4, java.util.Map.of())).answer()).isEqualTo("0000");
  }
}
