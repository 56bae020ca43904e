package io.sluice.exchange.range;

import static io.sluice.exchange.range.PageFixture.ALL;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.FakeTable;
import io.sluice.accept.ClientRequest;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.ring.Node;
import io.sluice.ring.Ring;
import io.sluice.statement.Statement;
import io.sluice.testkit.Records;
import io.sluice.watch.ClusterView;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests which range reads are split, which go to one node as the client wrote them, and which are
 * refused.
 */
class RangeDecisionsTest {

  private static final int ONE = 1;
  private static final int SERIAL = 8;
  private static final int LOCAL_SERIAL = 9;

  private final FakeTable table = new FakeTable(400, 20);
  private PageFixture fixture =
      new PageFixture(new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, false));
  private RangeClient client = new RangeClient(fixture);

  @AfterEach
  void nothing_is_left() {
    client.close();
  }

  private static Frame request(
      String cql, int consistency, List<ByteBuffer> values, Map<String, ByteBuffer> named) {
    return request(cql, consistency, values, named, null);
  }

  private static Frame request(
      String cql,
      int consistency,
      List<ByteBuffer> values,
      Map<String, ByteBuffer> named,
      @Nullable ByteBuffer state) {
    return TestFrames.request(
        4,
        0,
        new Query(
            cql,
            new QueryOptions(
                consistency,
                values,
                named,
                false,
                100,
                state,
                SERIAL,
                Long.MIN_VALUE,
                null,
                Integer.MIN_VALUE)));
  }

  private Reply ask(Frame request) {
    return client.ask(request, fixture.statement(request));
  }

  private static ByteBuffer token(long value) {
    return ByteBuffer.allocate(8).putLong(0, value);
  }

  /** Checks that the read was split, or went whole to one node for this reason. */
  private void wentWhole(Reply reply, String reason) {
    assertThat(fixture.counted("sluice.range.reads", "whole", reason)).as(reason).isEqualTo(1);
    if (!reason.equals("none")) {
      List<Sent> sent = fixture.sent();
      assertThat(sent).hasSize(1);
      sent.get(0).answer(new TestRows("k int").frame());
    }
    fixture.serve(table);
    assertThat(reply.told).singleElement().asString().startsWith("rows ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT k FROM ks.t | none",
        "SELECT k FROM ks.t LIMIT 33 | none",
        "SELECT k FROM ks.t LIMIT 32 | small",
        "SELECT k FROM ks.t WHERE token(k) > 100 LIMIT 2 | small",
        "SELECT k FROM ks.t WHERE token(k) > 100 AND token(k) <= 100 | empty_range",
        "SELECT k FROM ks.t WHERE v = 1 ORDER BY v ANN OF [1] LIMIT 3 | nearest_neighbours",
        "SELECT now() FROM ks.t | function",
        "SELECT k, max(v) FROM ks.t GROUP BY k, c | grouped",
      })
  void the_text_decides_first(String cql, String reason) {
    wentWhole(ask(request(cql, ONE, List.of(), Map.of())), reason);
  }

  @ParameterizedTest
  @CsvSource({SERIAL + ", serial", LOCAL_SERIAL + ", serial", "6, none"})
  void a_serial_read_goes_whole(int consistency, String reason) {
    wentWhole(ask(request(ALL, consistency, List.of(), Map.of())), reason);
  }

  private Reply askTraced(int pageSize, @Nullable ByteBuffer state) {
    return ask(TestFrames.traced(TestFrames.page(ALL, pageSize, state)));
  }

  private static Frame traced(long id, int... keys) {
    TestRows rows = new TestRows("k int").tracingId(new UUID(0, id));
    for (int key : keys) {
      rows.row(ByteBuffer.allocate(4).putInt(0, key));
    }
    return rows.frame();
  }

  /** Cassandra traces all ranges of a read as one session. */
  @ParameterizedTest
  @ValueSource(ints = {-1, 100})
  void a_traced_read_goes_whole_and_has_the_trace_of_its_node(int pageSize) {
    Reply reply = askTraced(pageSize, null);
    assertThat(fixture.counted("sluice.range.reads", "whole", "traced")).isEqualTo(1);
    List<Sent> sent = fixture.sent();
    assertThat(sent).hasSize(1);
    assertThat(sent.get(0).asked().request().tracing()).isTrue();
    sent.get(0).answer(traced(1, 20, 40));
    assertThat(reply.told).containsExactly("rows [20, 40]");
    assertThat(reply.tracingId).isEqualTo(new UUID(0, 1));
  }

  /** Only pieces can continue at its paging state. */
  @Test
  void a_traced_page_of_a_read_that_is_split_stays_split_and_has_one_trace() {
    ByteBuffer state = state();
    Reply reply = askTraced(100, state);
    List<Sent> sent = fixture.sent();
    assertThat(sent).hasSizeGreaterThan(1);
    for (int i = sent.size() - 1; i >= 0; i--) {
      sent.get(i).answer(traced(i, 200 + i));
    }
    assertThat(fixture.sent()).isEmpty();
    assertThat(reply.told).singleElement().asString().startsWith("rows [200, 201");
    assertThat(reply.tracingId).as("the trace of the first piece").isEqualTo(new UUID(0, 0));
    assertThat(reply.warnings).isEmpty();
    assertThat(fixture.counted("sluice.range.reads", "whole", "none")).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"0, values_in_doubt", "1, none", "2, values_in_doubt"})
  void values_that_do_not_match_the_markers_are_left_to_a_node(int values, String reason) {
    List<ByteBuffer> bound = List.of(token(0), token(5)).subList(0, values);
    wentWhole(ask(request(ALL + " WHERE token(k) > ?", ONE, bound, Map.of())), reason);
  }

  @ParameterizedTest
  @CsvSource({"lower, none", "other, values_in_doubt"})
  void named_values_must_name_all_markers(String name, String reason) {
    wentWhole(
        ask(request(ALL + " WHERE token(k) > :lower", ONE, List.of(), Map.of(name, token(0)))),
        reason);
  }

  private static final String REPEATED =
      "SELECT k FROM ks.t WHERE v = :a AND v = :a ALLOW FILTERING";

  private static Frame repeated(String cql, int bytes, @Nullable ByteBuffer state) {
    return request(cql, ONE, List.of(), Map.of("a", ByteBuffer.allocate(bytes)), state);
  }

  /** A piece has a value for each marker, where the request has one for each name. */
  @ParameterizedTest
  @CsvSource({"65532, none", "65533, repeated_values"})
  void a_large_value_of_several_markers_goes_whole(int bytes, String reason) {
    wentWhole(ask(repeated(REPEATED, bytes, null)), reason);
  }

  @Test
  void a_large_value_of_several_markers_is_explained() {
    Frame request = repeated(REPEATED, 65_533, null);
    Statement statement = fixture.statement(request);
    ClientRequest asked = new ClientRequest(request, fixture.client, new Reply());
    Plans plans = new Plans(fixture.context, fixture.reads);
    assertThat(plans.lines(asked, statement, plans.plan(asked, statement)).get(0).note())
        .contains("whole, not split: repeated values");
    request.release();
  }

  /** The digest of statement and values, by which a paging state is checked, is not computed. */
  @ParameterizedTest
  @ValueSource(strings = {"k", "now()"})
  void a_large_value_of_several_markers_goes_whole_with_any_paging_state(String selected) {
    ByteBuffer state = state();
    Reply reply = ask(repeated(REPEATED.replace("k FROM", selected + " FROM"), 65_533, state));
    wentWhole(reply, "repeated_values");
  }

  private void becomes(Mode mode) {
    fixture.settings.updateAndGet(
        now -> Records.with(now, "scheduling", Records.with(now.scheduling(), "mode", mode)));
  }

  @Test
  void a_proxy_that_only_passes_splits_no_read_but_continues_those_that_are_split() {
    Reply first = client.ask(ALL, 7);
    fixture.serve(table);
    becomes(Mode.PASSTHROUGH);
    wentWhole(client.ask(ALL, 7), "switched_off");
    Reply second = client.ask(ALL, 7, first.pagingState);
    fixture.serve(table);
    assertThat(second.told).containsExactly("rows " + table.keys().subList(7, 14));
  }

  @Test
  void a_read_of_an_unknown_table_goes_whole() {
    fixture.unknownTable();
    wentWhole(client.ask(ALL, 100), "unknown_table");
  }

  @Test
  void a_read_of_a_keyspace_without_known_owners_goes_whole() {
    ClusterView view = fixture.cluster.view();
    fixture.cluster.becomes(
        new ClusterView(
            new Ring(
                view.ring().partitioner(),
                "dc1",
                view.ring().local().stream().collect(Collectors.toMap(Node::id, node -> node)),
                Map.of()),
            view.catalog(),
            Map.of(),
            Map.of()));
    wentWhole(client.ask(ALL, 100), "unknown_table");
  }

  @Test
  void splitting_can_be_switched_off() {
    client.close();
    fixture =
        new PageFixture(new SplitConfig(SplitConfig.Parallel.OFF, 1000, 0, 8, 1 << 20, false));
    client = new RangeClient(fixture);
    wentWhole(client.ask(ALL, 100), "switched_off");
  }

  @Test
  void a_paging_state_of_a_node_goes_to_a_node_with_its_statement() {
    ByteBuffer state = ByteBuffer.allocate(5).put(0, (byte) -1).putInt(1, 360);
    Reply reply = client.ask(ALL, 100, state);
    List<Sent> sent = fixture.sent();
    assertThat(sent).hasSize(1);
    CqlRequest.Query query = (CqlRequest.Query) CqlRequest.of(sent.get(0).asked().request());
    assertThat(query.cql()).isEqualTo(ALL);
    assertThat(query.parameters().pagingState()).isEqualTo(state);
    sent.get(0).answer(table);
    assertThat(reply.told).containsExactly("rows [380]");
    assertThat(fixture.counted("sluice.range.reads", "whole", "paging_state_of_a_node"))
        .isEqualTo(1);
  }

  private ByteBuffer state() {
    Reply first = client.ask(ALL, 7);
    fixture.serve(table);
    return Objects.requireNonNull(first.pagingState);
  }

  @Test
  void a_paging_state_of_another_statement_is_refused() {
    Reply reply = client.ask(ALL + " WHERE token(k) > 5", 7, state());
    assertThat(reply.told)
        .containsExactly(
            "2200 Invalid paging state: it was given for another statement or other values");
    assertThat(fixture.sent()).isEmpty();
  }

  @Test
  void a_damaged_paging_state_is_refused() {
    ByteBuffer state = state();
    ByteBuffer damaged = ByteBuffer.allocate(state.remaining()).put(state.duplicate()).flip();
    damaged.put(damaged.limit() - 1, (byte) ~damaged.get(damaged.limit() - 1));
    Reply reply = client.ask(ALL, 7, damaged);
    assertThat(reply.told)
        .singleElement()
        .asString()
        .startsWith("2200 Invalid paging state: ")
        .endsWith("; start again from the first page");
  }

  /** A read that is not split continues where its node says. This one was split. */
  @Test
  void a_split_read_that_can_no_longer_be_split_is_refused() {
    ByteBuffer state = state();
    Reply reply = ask(request(ALL, SERIAL, List.of(), Map.of(), state));
    assertThat(reply.told)
        .containsExactly(
            "2200 Invalid paging state: the statement can no longer be split (SERIAL);"
                + " start again from the first page");
  }

  @Test
  void a_later_page_with_a_small_limit_stays_split() {
    Reply first = client.ask(ALL + " LIMIT 12", 7);
    fixture.serve(table);
    Reply second = client.ask(ALL + " LIMIT 12", 7, first.pagingState);
    fixture.serve(table);
    assertThat(second.told).containsExactly("rows " + table.keys().subList(7, 12));
    assertThat(second.pagingState).isNull();
    assertThat(fixture.counted("sluice.range.reads", "whole", "none")).isEqualTo(2);
  }

  @Test
  void range_reads_are_idle_until_memory_is_taken_and_after_it_is_given_back() {
    assertThat(fixture.reads.isIdle()).isTrue();
    Reply reply = client.ask(ALL, -1);
    assertThat(fixture.reads.isIdle()).as("while answers are expected").isFalse();
    fixture.serve(table);
    assertThat(reply.told).hasSize(1);
    assertThat(fixture.reads.isIdle()).isTrue();
  }
}
