package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.FakeNode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests EXPLAIN ANALYZE: the proxy runs the SELECT like a read of the client, and answers with its
 * costs instead of its rows.
 */
class AnalyzeTest {

  private static final String ALL = "SELECT k FROM ks.t";
  private static final SplitConfig SPLIT =
      new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, false);

  // The columns of the answer.
  private static final int STEP = 0;
  private static final int NODE = 1;
  private static final int RANGE = 2;
  private static final int QUEUED = 3;
  private static final int READ = 4;
  private static final int ROWS = 5;
  private static final int BYTES = 6;
  private static final int PREDICTED = 7;
  private static final int WORK = 8;
  private static final int NOTE = 9;

  private final FakeTable table = new FakeTable(400, 10);
  private final PathFixture fixture = PathFixture.patient(4, SPLIT);

  /** The texts of the queries that nodes have received. */
  private final List<String> asked = new CopyOnWriteArrayList<>();

  @AfterEach
  void nothing_is_left() {
    assertThat(fixture.buffered()).isZero();
    assertThat(fixture.rangeReads.isIdle()).isTrue();
    fixture.close();
  }

  private void allDo(FakeNode.Script script) {
    fixture.allDo(
        request -> {
          if (CqlRequest.of(request) instanceof CqlRequest.Query query) {
            asked.add(query.cql());
          }
          return script.answer(request);
        });
  }

  private static Frame paged(String cql, int pageSize) {
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
                Long.MIN_VALUE,
                null,
                Integer.MIN_VALUE)));
  }

  private static List<List<String>> texts(TestRows.Read rows) {
    List<List<String>> lines = new ArrayList<>();
    rows.cells()
        .forEach(
            row ->
                lines.add(
                    row.stream()
                        .map(cell -> StandardCharsets.UTF_8.decode(cell.duplicate()).toString())
                        .toList()));
    return lines;
  }

  private List<List<String>> analyze(String select) throws InterruptedException {
    return texts(fixture.ask(paged("EXPLAIN ANALYZE " + select, -1)).page());
  }

  private static List<String> total(List<List<String>> lines) {
    List<String> last = lines.get(lines.size() - 1);
    assertThat(last.get(STEP)).isEqualTo("total");
    return last;
  }

  private static int sum(List<List<String>> lines, int column) {
    return lines.subList(0, lines.size() - 1).stream()
        .mapToInt(line -> Integer.parseInt(line.get(column)))
        .sum();
  }

  @Test
  void a_point_read_is_one_request_and_a_total() throws InterruptedException {
    allDo(request -> new TestRows("k int").row(ByteBuffer.allocate(4)).frame());

    List<List<String>> lines = analyze("SELECT k FROM ks.t WHERE k = 1");

    assertThat(asked).containsExactly("SELECT k FROM ks.t WHERE k = 1");
    assertThat(lines).hasSize(2);
    List<String> read = lines.get(0);
    assertThat(read.get(STEP)).isEqualTo("read");
    assertThat(read.get(NODE)).matches("127.0.0.1:\\d+");
    assertThat(read.get(RANGE)).isEmpty();
    assertThat(Double.parseDouble(read.get(QUEUED))).isNotNegative();
    assertThat(Double.parseDouble(read.get(READ))).isPositive();
    assertThat(read.get(ROWS)).isEqualTo("1");
    assertThat(Integer.parseInt(read.get(BYTES))).isPositive();
    assertThat(Double.parseDouble(read.get(PREDICTED))).isPositive();
    assertThat(Double.parseDouble(read.get(WORK))).isPositive();
    assertThat(total(lines).get(ROWS)).isEqualTo("1");
    assertThat(total(lines).get(NOTE)).isEqualTo("1 request, 1 rows from nodes; all rows");
  }

  @Test
  void each_piece_is_shown_with_its_node_range_rows_and_bytes() throws InterruptedException {
    allDo(table);

    List<List<String>> lines = analyze(ALL);

    assertThat(lines).hasSizeGreaterThan(4);
    assertThat(lines.subList(0, lines.size() - 1))
        .allMatch(line -> line.get(STEP).startsWith("piece "))
        .allMatch(line -> line.get(NODE).startsWith("127.0.0.1:"))
        .allMatch(line -> line.get(RANGE).contains("token"));
    assertThat(sum(lines, ROWS)).isEqualTo(table.keys().size());
    assertThat(lines).hasSize(asked.size() + 1);
    assertThat(asked).noneMatch(cql -> cql.contains("EXPLAIN"));
    assertThat(total(lines).get(ROWS)).isEqualTo(String.valueOf(table.keys().size()));
    assertThat(total(lines).get(NODE)).isEmpty();
    assertThat(Double.parseDouble(total(lines).get(PREDICTED))).isPositive();
  }

  @Test
  void a_paged_read_is_one_page_of_the_clients_size() throws InterruptedException {
    allDo(table);

    TestRows.Read page = fixture.ask(paged("EXPLAIN ANALYZE " + ALL, 7)).page();

    assertThat(page.pagingState()).isNull();
    assertThat(total(texts(page)).get(ROWS)).isEqualTo("7");
    assertThat(total(texts(page)).get(NOTE)).endsWith("; one page of up to 7 rows, more follow");
    page = fixture.ask(paged("EXPLAIN ANALYZE " + ALL, 500)).page();
    assertThat(total(texts(page)).get(NOTE))
        .endsWith("; one page of up to 500 rows, no more follow");
  }

  @Test
  void json_has_the_requests_and_the_total_as_values() throws InterruptedException {
    allDo(request -> new TestRows("k int").row(ByteBuffer.allocate(4)).frame());

    List<List<String>> lines =
        texts(fixture.ask(paged("EXPLAIN JSON ANALYZE " + ALL + " WHERE k = 1", -1)).page());

    assertThat(lines).hasSize(1);
    assertThat(lines.get(0)).hasSize(1);
    assertThat(lines.get(0).get(0))
        .matches(
            "\\{\"requests\": \\[\\{\"step\": \"read\", \"node\": \"127.0.0.1:\\d+\","
                + " \"queued_ms\": [\\d.E-]+, \"read_ms\": [\\d.E-]+, \"rows\": 1, \"bytes\": \\d+,"
                + " \"predicted_work_ms\": [\\d.E-]+, \"work_ms\": [\\d.E-]+, \"note\": \"\"}],"
                + " \"total\": \\{\"step\": \"total\", .*}}");
  }

  @Test
  void queue_time_and_time_at_the_node_are_shown_separately() throws InterruptedException {
    allDo(table);
    FullSlots busy = fixture.fillRangeSlots();
    PathFixture.Asked analysis = fixture.ask(paged("EXPLAIN ANALYZE " + ALL, -1));
    long before = System.nanoTime();
    int others = fixture.cluster.view().ring().local().size();
    Awaitility.await().until(() -> fixture.rangesQueued() > others);
    assertThat(asked).isEmpty();
    Awaitility.await().until(() -> System.nanoTime() - before > 50_000_000);
    busy.release();
    List<List<String>> lines = texts(analysis.page());
    assertThat(Double.parseDouble(lines.get(0).get(QUEUED))).isGreaterThan(40);
    assertThat(Double.parseDouble(lines.get(0).get(READ))).isPositive();
    assertThat(Double.parseDouble(total(lines).get(QUEUED))).isGreaterThan(40);
  }

  /** The failed request is shown with its error, and its successor as another line. */
  @Test
  void a_failed_replica_is_shown_besides_the_one_that_answered() throws InterruptedException {
    AtomicInteger times = new AtomicInteger();
    allDo(
        request ->
            times.getAndIncrement() == 0
                ? CqlCodec.error(4, ErrorCode.SERVER_ERROR, "says no")
                : table.answer(request));

    List<List<String>> lines = analyze(ALL);

    List<List<String>> failed =
        lines.stream().filter(line -> line.get(NOTE).equals("SERVER_ERROR")).toList();
    assertThat(failed).hasSize(1);
    assertThat(failed.get(0).get(ROWS)).isEqualTo("0");
    assertThat(failed.get(0).get(WORK)).isEqualTo("unknown");
    List<List<String>> same =
        lines.stream().filter(line -> line.get(STEP).equals(failed.get(0).get(STEP))).toList();
    assertThat(same).hasSizeGreaterThan(1);
    assertThat(same.get(1).get(NODE)).isNotEqualTo(failed.get(0).get(NODE));
    assertThat(sum(lines, ROWS)).isEqualTo(table.keys().size());
  }

  @Test
  void a_replica_that_dies_is_shown_as_given_up() throws InterruptedException {
    AtomicInteger times = new AtomicInteger();
    allDo(
        request ->
            times.getAndIncrement() == 0
                ? fixture.dies().answer(request)
                : new TestRows("k int").frame());
    List<List<String>> lines = analyze("SELECT k FROM ks.t WHERE k = 1");
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0).get(NOTE)).startsWith("given up: ");
    assertThat(lines.get(1).get(NOTE)).isEmpty();
    assertThat(lines.get(1).get(NODE)).isNotEqualTo(lines.get(0).get(NODE));
  }

  @ParameterizedTest
  @ValueSource(strings = {ALL, ALL + " WHERE k = 1", ALL + " LIMIT 10"})
  void the_error_of_the_read_is_the_answer(String select) throws InterruptedException {
    allDo(request -> CqlCodec.error(4, ErrorCode.UNAUTHORIZED, "may not read"));
    PathFixture.Asked analysis = fixture.ask(paged("EXPLAIN ANALYZE " + select, -1));
    assertThat(analysis.answer()).isEqualTo("2100");
    assertThat(analysis.words).contains("may not read");
  }

  @Test
  void a_read_that_no_node_answers_in_time_times_out() throws InterruptedException {
    fixture.readsMayTake(PathFixture.READ_TIMEOUT);
    allDo(request -> null);
    assertThat(fixture.ask(paged("EXPLAIN ANALYZE " + ALL, 10)).answer()).isEqualTo("1200");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO ks.t (k) VALUES (1)",
        "INSERT INTO ks.t JSON '{\"k\": 1}'",
        "UPDATE ks.t SET v = 1 WHERE k = 1",
        "DELETE FROM ks.t WHERE k = 1",
        "BEGIN BATCH INSERT INTO ks.t (k) VALUES (1); APPLY BATCH",
        "TRUNCATE ks.t",
        "DROP TABLE ks.t",
        "ALTER TABLE ks.t ADD v int",
        "GRANT SELECT ON ks.t TO r",
        "CREATE ROLE r",
        "USE ks",
        "LIST ROLES",
        "DESCRIBE TABLES",
        "EXPLAIN SELECT * FROM ks.t",
        "ANALYZE SELECT * FROM ks.t",
        "JSON JSON SELECT * FROM ks.t",
        "SELECT k FROM ks.t; DROP TABLE ks.t",
        "INSERT",
        ";",
        "/* SELECT */ INSERT INTO ks.t (k) VALUES (1)"
      })
  void only_a_select_is_run(String cql) throws InterruptedException {
    allDo(request -> new TestRows("k int").frame());
    for (String options :
        List.of("EXPLAIN ANALYZE ", "EXPLAIN JSON ANALYZE ", "explain analyze\n")) {
      assertThat(fixture.ask(paged(options + cql, -1)).answer()).isEqualTo("2200");
    }
    assertThat(fixture.heard()).isZero();
  }

  @Test
  void tables_of_the_proxy_itself_are_not_analyzed() throws InterruptedException {
    PathFixture.Asked analysis =
        fixture.ask(paged("EXPLAIN ANALYZE SELECT * FROM system_proxy.nodes", -1));
    assertThat(analysis.answer()).isEqualTo("2200");
    assertThat(fixture.heard()).isZero();
  }

  @Test
  void system_tables_are_run_without_a_queue() throws InterruptedException {
    allDo(request -> new TestRows("k int").frame());
    List<List<String>> lines = analyze("SELECT keyspace_name FROM system_schema.tables");
    assertThat(lines).hasSize(1);
    assertThat(total(lines).get(NOTE)).isEqualTo("forwarded to one node, not queued; all rows");
    assertThat(total(lines).get(PREDICTED)).isEqualTo("unknown");
  }

  @Test
  void values_are_bound_as_in_the_select() throws InterruptedException {
    List<Integer> bound = new CopyOnWriteArrayList<>();
    allDo(
        request -> {
          if (CqlRequest.of(request) instanceof CqlRequest.Query query) {
            bound.add(query.parameters().values().get(0).getInt(0));
          }
          return new TestRows("k int").frame();
        });
    Frame request =
        TestFrames.request(
            4,
            0,
            new Query(
                "EXPLAIN ANALYZE SELECT k FROM ks.t WHERE k = ?",
                new QueryOptions(
                    1,
                    List.of(ByteBuffer.allocate(4).putInt(0, 7)),
                    Map.of(),
                    false,
                    -1,
                    null,
                    8,
                    Long.MIN_VALUE,
                    null,
                    Integer.MIN_VALUE)));
    fixture.ask(request).page();
    assertThat(bound).containsExactly(7);
  }

  @Test
  void a_very_large_statement_is_run_unchanged() throws InterruptedException {
    allDo(request -> new TestRows("k int").frame());
    String large = "SELECT k FROM ks.t WHERE k = 1 /* " + "x".repeat(500_000) + " */";
    List<List<String>> lines = analyze(large);
    assertThat(asked).containsExactly(large);
    assertThat(lines.stream().flatMap(List::stream).mapToInt(String::length).sum())
        .isLessThan(1_000);
  }

  @Test
  void warnings_of_the_read_reach_the_client() throws InterruptedException {
    allDo(request -> new TestRows("k int").warning("mind this").frame());
    TestRows.Read read =
        fixture.ask(paged("EXPLAIN ANALYZE SELECT k FROM ks.t WHERE k = 1", -1)).page();
    assertThat(read.warnings()).containsExactly("mind this");
  }

  /** The fixture's timeouts end a read that hangs. When the client leaves, it ends at once. */
  @Test
  void the_read_of_a_client_that_leaves_ends() throws InterruptedException {
    FullSlots busy = fixture.fillRangeSlots();
    allDo(table);
    PathFixture.Asked analysis = fixture.ask(paged("EXPLAIN ANALYZE " + ALL, -1));
    int others = fixture.cluster.view().ring().local().size();
    Awaitility.await().until(() -> fixture.rangesQueued() > others);

    analysis.open = false;
    busy.release();
    Awaitility.await()
        .until(() -> fixture.slotsHeld() == 0 && TestFrames.isReleased(analysis.request));

    assertThat(asked).isEmpty();
    assertThat(fixture.rangesQueued()).isZero();
  }
}
