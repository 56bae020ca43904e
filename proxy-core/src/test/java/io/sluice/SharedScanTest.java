package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.exchange.NodeAgentConfig;
import io.sluice.ring.Node;
import io.sluice.ring.TestPartitioner;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.FakeNode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests range reads for the same rows that are queued at a node with one slot for range reads. The
 * rows are read once, and each read gets the answer that it would get alone.
 */
class SharedScanTest {

  private static final int KEYS = 1_000;
  private static final int PREPARE = 0x09;

  /** The keys lie evenly on the upper half of the ring. */
  private static final long TOKEN_OF_ONE = Long.MAX_VALUE / KEYS;

  private final FakeTable table = new FakeTable(KEYS, 1, TOKEN_OF_ONE);
  private PathFixture fixture = fixture(1, true);

  private static PathFixture fixture(int nodes, boolean shareScans) {
    return fixture(nodes, shareScans, 100_000);
  }

  private static PathFixture fixture(int nodes, boolean shareScans, int targetPartitions) {
    return new PathFixture(
        nodes,
        new SplitConfig(SplitConfig.Parallel.WAVES, targetPartitions, 0, 8, 8 << 20, shareScans),
        NodeAgentConfig.defaults(),
        1,
        new TestPartitioner(key -> key.getInt(key.position()) * TOKEN_OF_ONE));
  }

  @BeforeEach
  void the_table_is_known() throws InterruptedException {
    fixture.allDo(table);
    assertThat(fixture.ask(scan(0, KEYS)).page().keys()).isEqualTo(table.keys());
    fixture.nodes.forEach(node -> node.heard.clear());
  }

  @AfterEach
  void nothing_is_left() {
    assertThat(fixture.buffered()).isZero();
    assertThat(fixture.rangeReads.isIdle()).isTrue();
    fixture.close();
  }

  private static Frame scan(int after, int limit) {
    return scan("k", after, limit, Long.MIN_VALUE);
  }

  private static Frame scan(String columns, int after, int limit, long timestamp) {
    String cql =
        "SELECT %s FROM ks.t WHERE token(k) > %d LIMIT %d"
            .formatted(columns, after * TOKEN_OF_ONE, limit);
    return query(cql, timestamp, 5_000);
  }

  private static Frame query(String cql, long timestamp, int pageSize) {
    return TestFrames.request(
        4,
        0,
        new Query(
            cql,
            new QueryOptions(
                1,
                List.of(),
                Map.of(),
                false,
                pageSize,
                null,
                8,
                timestamp,
                null,
                Integer.MIN_VALUE)));
  }

  /** Returns the keys that {@link #scan} returns. */
  private static List<Integer> keys(int after, int limit) {
    return IntStream.rangeClosed(after + 1, Math.min(KEYS - 1, after + limit)).boxed().toList();
  }

  /** Starts range reads of another user, which take the only slot of each node. */
  private List<Busy> keepBusy() {
    return fixture.cluster.view().ring().local().stream().map(this::busy).toList();
  }

  private Busy busy(Node node) {
    QueryFacts facts =
        new QueryFacts(PriorityClass.RANGE, "ks.other", "", Long.MAX_VALUE / 2, 1, 1, 1);
    Busy busy = new Busy(fixture.scheduler.query(facts), node);
    fixture.scheduler.submit(busy);
    return busy;
  }

  private static final class Busy extends Demand {
    Busy(io.sluice.decide.schedule.Query query, Node node) {
      super(query, 0, List.of(node.id()), 1);
    }

    @Override
    protected void start(Permit permit) {}

    @Override
    protected void refuse(Refusal refusal) {
      throw new AssertionError(refusal.message());
    }
  }

  /** Sends all requests while the nodes are busy, and then frees the nodes. */
  private List<PathFixture.Asked> askTogether(Frame... frames) {
    List<Busy> busy = keepBusy();
    List<PathFixture.Asked> asked = Stream.of(frames).map(fixture::ask).toList();
    Awaitility.await().until(() -> fixture.rangesQueued() == frames.length);
    busy.forEach(Permit::finishAbandoned);
    return asked;
  }

  @Test
  void overlapping_reads_are_read_once_and_each_gets_its_rows() throws InterruptedException {
    List<PathFixture.Asked> asked =
        askTogether(scan(100, 60), scan(130, 60), scan(90, 100), scan(140, 70));
    assertThat(asked.get(0).page().keys()).isEqualTo(keys(100, 60));
    assertThat(asked.get(1).page().keys()).isEqualTo(keys(130, 60));
    assertThat(asked.get(2).page().keys()).isEqualTo(keys(90, 100));
    assertThat(asked.get(3).page().keys()).isEqualTo(keys(140, 70));
    assertThat(fixture.heard()).isEqualTo(1);
    assertThat(fixture.counted("sluice.split.shared")).isEqualTo(3);
    assertThat(fixture.counted("sluice.split.rows.shared")).isEqualTo(290 - 120);
  }

  private static Frame explaining(String words, int after, int limit) {
    String cql =
        "%s SELECT k FROM ks.t WHERE token(k) > %d LIMIT %d"
            .formatted(words, after * TOKEN_OF_ONE, limit);
    return query(cql, Long.MIN_VALUE, 5_000);
  }

  private static List<List<String>> texts(TestRows.Read page) {
    return page.cells().stream()
        .map(
            row ->
                row.stream().map(cell -> StandardCharsets.UTF_8.decode(cell).toString()).toList())
        .toList();
  }

  /** Returns EXPLAIN's note on shared scans for a read of 50 rows. */
  private String shares(int after) throws InterruptedException {
    TestRows.Read page = fixture.ask(explaining("EXPLAIN", after, 50)).pageMeanwhile();
    return texts(page).stream()
        .filter(line -> line.get(0).equals("share"))
        .map(line -> line.get(5))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void explain_shows_queued_reads_for_the_same_rows() throws InterruptedException {
    List<Busy> busy = keepBusy();
    List<PathFixture.Asked> waiting =
        List.of(fixture.ask(scan(100, 60)), fixture.ask(scan(130, 60)), fixture.ask(scan(700, 60)));
    Awaitility.await().until(() -> fixture.rangesQueued() == 3);
    fixture.allDo(
        request ->
            request.opcode() == PREPARE
                ? TestFrames.prepared(4, TestFrames.id("explained"))
                : table.answer(request));

    assertThat(shares(120)).isEqualTo("piece 1 can be read together with 2 other reads that wait");
    assertThat(shares(690)).isEqualTo("piece 1 can be read together with 1 other read that waits");
    assertThat(shares(400)).isEqualTo("no other read waits for rows of these pieces");
    assertThat(fixture.rangesQueued()).isEqualTo(3);
    busy.forEach(Permit::finishAbandoned);
    for (PathFixture.Asked each : waiting) {
      each.page();
    }
  }

  @Test
  void analyze_shows_which_read_was_shared() throws InterruptedException {
    List<PathFixture.Asked> asked =
        askTogether(explaining("EXPLAIN ANALYZE", 100, 60), explaining("EXPLAIN ANALYZE", 110, 60));

    List<List<String>> first = texts(asked.get(0).page());
    List<List<String>> second = texts(asked.get(1).page());

    assertThat(first.get(0).get(9)).isEqualTo("read together with 1 other");
    assertThat(second.get(0).get(9)).isEqualTo("its rows came with a read of another client");
    assertThat(second.get(0).get(1)).isEmpty();
    assertThat(second.get(0).get(4)).isEqualTo("unknown");
    assertThat(second.get(0).get(5)).isEqualTo("60");
    assertThat(fixture.heard()).isEqualTo(1);
  }

  @Test
  void reads_of_different_rows_are_not_shared() throws InterruptedException {
    List<PathFixture.Asked> asked = askTogether(scan(100, 50), scan(400, 50), scan(700, 50));
    assertThat(asked.get(0).page().keys()).isEqualTo(keys(100, 50));
    assertThat(asked.get(1).page().keys()).isEqualTo(keys(400, 50));
    assertThat(asked.get(2).page().keys()).isEqualTo(keys(700, 50));
    assertThat(fixture.heard()).isEqualTo(3);
  }

  @Test
  void reads_of_different_columns_are_not_shared() throws InterruptedException {
    List<PathFixture.Asked> asked =
        askTogether(scan(100, 50), scan("k, token(k)", 100, 50, Long.MIN_VALUE));
    asked.get(0).page();
    asked.get(1).page();
    assertThat(fixture.heard()).isEqualTo(2);
  }

  @Test
  void reads_with_different_timestamps_are_shared() throws InterruptedException {
    List<PathFixture.Asked> asked = askTogether(scan("k", 100, 50, 1), scan("k", 100, 50, 2));
    assertThat(asked.get(0).page().keys()).isEqualTo(keys(100, 50));
    assertThat(asked.get(1).page().keys()).isEqualTo(keys(100, 50));
    assertThat(fixture.heard()).isEqualTo(1);
  }

  @Test
  void no_read_is_shared_when_shared_scans_are_off() throws InterruptedException {
    fixture.close();
    fixture = fixture(1, false);
    the_table_is_known();
    List<PathFixture.Asked> asked = askTogether(scan(100, 50), scan(100, 50));
    assertThat(asked.get(0).page().keys()).isEqualTo(keys(100, 50));
    assertThat(asked.get(1).page().keys()).isEqualTo(keys(100, 50));
    assertThat(fixture.heard()).isEqualTo(2);
  }

  /** Returns a script that uses {@code says} for requests of more than 100 rows. */
  private FakeNode.Script forLargeRequests(FakeNode.Script says) {
    return request ->
        CqlRequest.of(request) instanceof CqlRequest.Query query
                && query.parameters().pageSize() > 100
            ? says.answer(request)
            : table.answer(request);
  }

  private void assertAnswers(List<PathFixture.Asked> asked) throws InterruptedException {
    assertThat(asked.get(0).page().keys()).isEqualTo(keys(100, 100));
    assertThat(asked.get(1).page().keys()).isEqualTo(keys(130, 100));
  }

  @Test
  void after_an_error_of_a_shared_scan_each_read_is_sent_alone() throws InterruptedException {
    fixture.allDo(
        forLargeRequests(
            request -> CqlCodec.error(4, ErrorCode.SERVER_ERROR, "too many tombstones")));
    assertAnswers(askTogether(scan(100, 100), scan(130, 100)));
    assertThat(fixture.heard()).isEqualTo(3);
  }

  /** The cluster's operator may forbid large pages, and allow those that clients ask for. */
  @Test
  void a_shared_scan_is_no_larger_than_the_page_of_the_client() throws InterruptedException {
    fixture.allDo(
        forLargeRequests(request -> CqlCodec.error(4, ErrorCode.INVALID, "Guardrail page_size")));
    String cql = "SELECT k FROM ks.t WHERE token(k) > %d";
    assertAnswers(
        askTogether(
            query(cql.formatted(100 * TOKEN_OF_ONE), Long.MIN_VALUE, 100),
            query(cql.formatted(130 * TOKEN_OF_ONE), Long.MIN_VALUE, 100)));
    assertThat(fixture.heard()).isEqualTo(2);
  }

  @Test
  void a_rider_that_the_answer_does_not_reach_is_read_alone() throws InterruptedException {
    fixture.allDo(forLargeRequests(request -> fewRows()));
    assertAnswers(askTogether(scan(100, 100), scan(130, 100)));
  }

  /** Returns the first rows of the range that begins at 100, with more to come. */
  private static Frame fewRows() {
    TestRows rows = new TestRows("k int");
    for (int key = 101; key <= 110; key++) {
      rows.row(ByteBuffer.allocate(Integer.BYTES).putInt(0, key));
    }
    return rows.pagingState(ByteBuffer.allocate(5).put(0, (byte) -1).putInt(1, 110)).frame();
  }

  @Test
  void riders_of_a_lost_node_are_read_elsewhere() throws InterruptedException {
    fixture.close();
    fixture = fixture(2, true);
    the_table_is_known();
    FakeNode first = fixture.nodes.get(0);
    FakeNode second = fixture.nodes.get(1);
    first.does(forLargeRequests(request -> first.die()));
    second.does(forLargeRequests(request -> second.die()));
    assertAnswers(askTogether(scan(100, 100), scan(130, 100)));
  }

  /** Sends two reads. The client of the first leaves while the node works for both. */
  private void leavesDuringRead(Frame goes, Frame stays, int after, int limit)
      throws InterruptedException {
    List<Busy> busy = keepBusy();
    PathFixture.Asked gone = fixture.ask(goes);
    PathFixture.Asked there = fixture.ask(stays);
    Awaitility.await().until(() -> fixture.rangesQueued() == 2);
    fixture.allDo(
        request -> {
          gone.open = false;
          return table.answer(request);
        });
    busy.forEach(Permit::finishAbandoned);
    assertThat(there.page().keys()).isEqualTo(keys(after, limit));
    gone.answer();
    assertThat(fixture.heard()).isEqualTo(1);
  }

  @Test
  void riders_get_their_rows_when_the_first_client_is_gone() throws InterruptedException {
    leavesDuringRead(scan(100, 50), scan(110, 60), 110, 60);
  }

  @Test
  void rows_for_a_rider_whose_client_is_gone_are_dropped() throws InterruptedException {
    leavesDuringRead(scan(110, 60), scan(100, 50), 100, 50);
  }

  @Test
  void when_the_first_piece_is_refused_at_once_no_other_is_sent() throws InterruptedException {
    fixture.close();
    fixture = fixture(1, true, KEYS / 5);
    the_table_is_known();
    fixture.scheduler.nodes(List.of());
    assertThat(fixture.ask(query("SELECT k FROM ks.t", Long.MIN_VALUE, -1)).answer())
        .isEqualTo("1000");
    assertThat(fixture.heard()).isZero();
  }

  @Test
  void a_rider_whose_client_is_full_is_read_again_when_the_client_has_caught_up()
      throws InterruptedException {
    fixture.allDo(
        request -> {
          fixture.client.full = true;
          return table.answer(request);
        });
    List<PathFixture.Asked> asked = askTogether(scan(100, 50), scan(110, 60));
    assertThat(asked.get(0).page().keys()).isEqualTo(keys(100, 50));
    Runnable caughtUp = fixture.client.waitingForDrain.take();
    assertThat(fixture.counted("sluice.split.shared"))
        .as("shared answers before the client has caught up")
        .isZero();
    fixture.allDo(table);
    fixture.client.full = false;
    fixture.client.lane().execute(caughtUp);
    assertThat(asked.get(1).page().keys()).isEqualTo(keys(110, 60));
  }
}
