package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Prepare;
import com.datastax.oss.protocol.internal.request.Query;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests EXPLAIN on fake nodes that own {@code ks.t} with the key {@code k int}. */
class ExplainTest {

  private static final int QUERY = 0x07;
  private static final int PREPARE = 0x09;
  private static final int UNAUTHORIZED = 0x2100;

  private final PathFixture fixture =
      new PathFixture(4, new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 0, 8, 1 << 20, false));

  /** The opcodes of the requests that nodes have received. */
  private final ConcurrentLinkedQueue<Integer> heard = new ConcurrentLinkedQueue<>();

  @AfterEach
  void close() {
    fixture.close();
  }

  private void answer(Function<Frame, Frame> toPrepare, Function<Frame, Frame> toQuery) {
    fixture.allDo(
        request -> {
          heard.add(request.opcode());
          return (request.opcode() == PREPARE ? toPrepare : toQuery).apply(request);
        });
  }

  private static Frame prepared(Frame request) {
    return TestFrames.prepared(4, TestFrames.id("explained"));
  }

  private static Frame request(String cql) {
    return TestFrames.request(4, 0, new Query(cql));
  }

  private PathFixture.Asked ask(String cql) {
    return fixture.ask(request(cql));
  }

  private List<String> lines(String cql) throws InterruptedException {
    return lines(ask(cql));
  }

  /** Returns the rows of the answer, with cells separated by bars. */
  private static List<String> lines(PathFixture.Asked asked) throws InterruptedException {
    TestRows.Read rows = asked.page();
    List<String> lines = new ArrayList<>();
    rows.cells()
        .forEach(
            row ->
                lines.add(
                    String.join(
                        "|",
                        row.stream()
                            .map(cell -> StandardCharsets.UTF_8.decode(cell).toString())
                            .toList())));
    return lines;
  }

  @Test
  void explain_shows_a_range_read_step_by_step_and_reads_no_row() throws InterruptedException {
    answer(ExplainTest::prepared, request -> new TestRows("k int").frame());
    List<String> lines = lines("EXPLAIN SELECT k FROM ks.t LIMIT 50");
    assertThat(lines.get(0))
        .startsWith("split||all tokens|unknown||up to 50 rows of LIMIT 50; the first 1 of about ");
    assertThat(lines.get(1)).startsWith("merge|||||rows in the order of tokens");
    assertThat(lines).anyMatch(line -> line.startsWith("send|||||SELECT k FROM ks.t"));
    assertThat(lines)
        .anyMatch(
            line ->
                line.matches(
                    "piece 1\\|127.0.0.1:\\d+.*\\|.*token <= .*\\|unknown\\|about [\\d.]+ ms"
                        + "\\|asked for 50 rows"));
    assertThat(heard).containsExactly(PREPARE, QUERY);
  }

  /** Without the limit of the table, LIMIT and a page, the estimate would be ten thousand. */
  @Test
  void the_estimate_of_a_whole_read_is_at_most_the_rows_of_its_table() throws Exception {
    FakeTable table = new FakeTable(400, 20);
    fixture.allDo(table);
    assertThat(ask("SELECT k FROM ks.t").page().cells()).hasSize(19);
    answer(ExplainTest::prepared, request -> new TestRows("k int").frame());
    List<String> lines = lines("EXPLAIN SELECT k FROM ks.t ORDER BY k");
    assertThat(lines.get(0))
        .containsPattern("\\|about \\d{1,2}\\|about [\\d.]+ ms\\|whole, not split");
  }

  @Test
  void a_select_that_a_node_does_not_prepare_is_refused_with_the_error_of_the_node()
      throws InterruptedException {
    answer(request -> CqlCodec.error(4, ErrorCode.INVALID, "no"), ExplainTest::prepared);
    assertThat(ask("EXPLAIN SELECT nothing FROM ks.t").answer()).isEqualTo("2200");
    assertThat(heard).containsExactly(PREPARE);
  }

  @ParameterizedTest
  @CsvSource({"SELECT k FROM ks.t", "SELECT k FROM ks.t WHERE k = 1"})
  void a_table_without_permission_is_not_explained(String cql) throws InterruptedException {
    answer(ExplainTest::prepared, request -> CqlCodec.error(4, UNAUTHORIZED, "no"));
    assertThat(ask("EXPLAIN " + cql).answer()).isEqualTo("2100");
    assertThat(heard).containsExactly(PREPARE, QUERY);
  }

  @Test
  void an_unknown_table_is_not_explained() throws InterruptedException {
    answer(ExplainTest::prepared, ExplainTest::prepared);
    assertThat(ask("EXPLAIN SELECT * FROM ks.nothing").answer()).isEqualTo("2200");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "EXPLAIN EXPLAIN SELECT * FROM ks.t | cannot be explained",
        "EXPLAIN JSON EXPLAIN ANALYZE SELECT * FROM ks.t | cannot be explained",
        "EXPLAIN /* nothing */ JSON ; | needs a SELECT",
        "EXPLAIN JSON UPDATE ks.t SET v = 1 WHERE k = 1 | is for SELECT",
        "EXPLAIN TRUNCATE ks.t | is for SELECT",
        "EXPLAIN BEGIN BATCH INSERT INTO ks.t (k) VALUES (1); APPLY BATCH | is for SELECT",
        "EXPLAIN INSERT INTO ks.t (k) VALUES (1) | is for SELECT",
        "EXPLAIN USE ks | is for SELECT",
        "EXPLAIN DROP TABLE ks.t | is for SELECT"
      })
  void a_statement_that_cannot_be_explained_is_refused_with_a_message(String cql, String words)
      throws InterruptedException {
    PathFixture.Asked asked = ask(cql);
    assertThat(asked.answer()).isEqualTo("2200");
    assertThat(asked.words).contains(words);
    assertThat(fixture.heard()).isZero();
  }

  @Test
  void point_reads_and_system_tables_are_explained() throws InterruptedException {
    answer(ExplainTest::prepared, request -> new TestRows("k int").frame());
    assertThat(lines("EXPLAIN SELECT * FROM ks.t WHERE k = 1").get(0))
        .matches("read\\|127.0.0.1:.*\\|\\|unknown\\|about [\\d.]+ ms\\|one request; .*");
    assertThat(lines("EXPLAIN SELECT * FROM system.local").get(0)).startsWith("answer|");
    assertThat(lines("EXPLAIN SELECT * FROM ks.t WHERE token(k) = 5 ORDER BY k").get(0))
        .contains("whole, not split: ordered");
  }

  @Test
  void a_range_read_is_explained_as_whole_when_the_client_asks_for_a_trace()
      throws InterruptedException {
    nodesAccept();
    Frame request = TestFrames.traced(request("EXPLAIN SELECT k FROM ks.t"));
    assertThat(lines(fixture.ask(request)).get(0)).contains("whole, not split: traced");
    assertThat(lines("EXPLAIN SELECT k FROM ks.t").get(0)).startsWith("split|");
  }

  /** Returns the only line of a step. */
  private String note(String step, String cql) throws InterruptedException {
    List<String> found = lines(cql).stream().filter(line -> line.startsWith(step + "|")).toList();
    assertThat(found).as(step).hasSize(1);
    return found.get(0);
  }

  private void nodesAccept() {
    answer(ExplainTest::prepared, request -> new TestRows("k int").frame());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT * FROM ks.t WHERE k = 1|point: a read of one partition",
        "SELECT * FROM ks.t WHERE k IN (1, 2)|point: a read of one partition, or of a few",
        "SELECT * FROM ks.t|range: a read of a token range",
        "SELECT * FROM ks.t LIMIT 3|range: a read of a token range"
      })
  void the_class_is_shown_with_its_reason(String cql, String words) throws InterruptedException {
    nodesAccept();
    assertThat(note("class", "EXPLAIN " + cql))
        .matches("class\\|\\|\\|\\|about [\\d.]+ ms\\|.*")
        .contains(words);
  }

  @Test
  void a_read_of_many_keys_takes_slots_of_range_reads() throws InterruptedException {
    nodesAccept();
    String keys = String.join(", ", Collections.nCopies(200, "1"));
    assertThat(note("class", "EXPLAIN SELECT * FROM ks.t WHERE k IN (" + keys + ")"))
        .contains("range: a read of so many keys is predicted to cost more than four reads of one");
  }

  @Test
  void estimates_are_shown_with_source_and_age() throws InterruptedException {
    nodesAccept();
    assertThat(note("estimates", "EXPLAIN SELECT k FROM ks.t LIMIT 50"))
        .startsWith("estimates|||unknown||unknown: nodes are asked");
    FakeTable table = new FakeTable(400, 20);
    fixture.allDo(table);
    assertThat(ask("SELECT k FROM ks.t").page().cells()).hasSize(19);
    nodesAccept();
    assertThat(note("estimates", "EXPLAIN SELECT k FROM ks.t LIMIT 50"))
        .matches("estimates\\|\\|\\|about \\d+\\|\\|learned from answers, the last \\d s ago.*");
  }

  @Test
  void an_idle_cluster_would_start_the_read_at_once() throws InterruptedException {
    nodesAccept();
    assertThat(note("admission", "EXPLAIN SELECT k FROM ks.t"))
        .matches("admission\\|127.0.0.1:\\d+\\|\\|\\|\\|would be let in, and start at once");
    List<String> queues =
        lines("EXPLAIN SELECT k FROM ks.t").stream().filter(e -> e.startsWith("queue|")).toList();
    assertThat(queues)
        .hasSizeGreaterThan(1)
        .allMatch(e -> e.contains("no range read waits; 0 of "));
  }

  @Test
  void queued_reads_are_shown_for_each_replica_and_explain_is_not_queued() throws Exception {
    nodesAccept();
    FullSlots busy = fixture.fillRangeSlots();
    long waiting = fixture.rangesQueued();
    assertThat(waiting).isPositive();
    List<String> lines = new ArrayList<>();
    TestRows.Read rows = ask("EXPLAIN SELECT k FROM ks.t").pageMeanwhile();
    rows.cells().forEach(row -> lines.add(StandardCharsets.UTF_8.decode(row.get(5)).toString()));
    assertThat(lines).anyMatch(note -> note.contains("for a slot: 1 range read waits; "));
    assertThat(lines).anyMatch(note -> note.startsWith("would be let in, and wait"));
    assertThat(fixture.rangesQueued()).isEqualTo((int) waiting);
    busy.release();
  }

  @Test
  void explain_predicts_a_refusal_for_memory() throws InterruptedException {
    nodesAccept();
    fixture.client.rangeRefusal = "too large";
    assertThat(note("admission", "EXPLAIN SELECT k FROM ks.t"))
        .contains("would be refused now: too large");
    assertThat(note("admission", "EXPLAIN SELECT k FROM ks.t WHERE k = 1")).contains("let in");
  }

  @Test
  void hints_for_agents_are_shown() throws InterruptedException {
    nodesAccept();
    assertThat(note("agent", "EXPLAIN SELECT k FROM ks.t LIMIT 50")).contains("no hint: none of");
    fixture.view.hasAgent(0);
    assertThat(note("agent", "EXPLAIN SELECT k FROM ks.t LIMIT 50"))
        .contains(address(0))
        .contains("a hint goes along: 1 piece, 50 rows");
    assertThat(note("agent", "EXPLAIN SELECT k FROM ks.t LIMIT 10"))
        .contains("as wide as the node makes it, 10 rows");
    assertThat(lines("EXPLAIN SELECT k FROM ks.t WHERE k = 1"))
        .noneMatch(line -> line.startsWith("agent|"));
  }

  private String address(int node) {
    return "127.0.0.1:" + fixture.nodes.get(node).address().getPort();
  }

  private String json(String cql) throws InterruptedException {
    TestRows.Read rows = ask(cql).page();
    assertThat(rows.cells()).hasSize(1);
    assertThat(rows.cells().get(0)).hasSize(1);
    return StandardCharsets.UTF_8.decode(rows.cells().get(0).get(0)).toString();
  }

  @Test
  void json_shows_the_plan_as_values() throws InterruptedException {
    nodesAccept();
    String json = json("EXPLAIN JSON SELECT k FROM ks.t LIMIT 50");
    assertThat(json)
        .startsWith("{\"plan\": [{\"step\": \"split\", \"range\": \"all tokens\", \"rows\": null,")
        .contains("\"split\": true, \"first_pieces\": 1")
        .contains("\"step\": \"class\"", "\"class\": \"range\"")
        .contains("\"source\": null, \"age_s\": null")
        .contains("\"refused\": false, \"starts\": true, \"wait_ms\": 0.0")
        .contains("\"nodes\": [\"" + address(0) + "\"")
        .doesNotContain("NaN");
  }

  @Test
  void markers_without_values_are_explained_as_far_as_possible() throws Exception {
    nodesAccept();
    assertThat(lines("EXPLAIN SELECT k FROM ks.t WHERE k = ?").get(0)).startsWith("read|");
    assertThat(lines("EXPLAIN SELECT k FROM ks.t WHERE token(k) > ? LIMIT ?").get(0))
        .contains("whole, not split: values in doubt");
  }

  @Test
  void a_very_large_statement_is_explained_in_a_short_answer() throws InterruptedException {
    nodesAccept();
    String large = "EXPLAIN SELECT k FROM ks.t /* %s */ LIMIT 50";
    List<String> lines = lines(large.formatted("x".repeat(3_000)));
    assertThat(lines).anyMatch(line -> line.startsWith("send|") && line.contains("characters)"));
    assertThat(lines.stream().mapToInt(String::length).sum()).isLessThan(8_000);
    assertThat(lines(large.formatted("x".repeat(900_000))).get(0)).contains("too long");
  }

  @Test
  void explain_is_not_prepared() throws InterruptedException {
    PathFixture.Asked asked =
        fixture.ask(TestFrames.request(4, 0, new Prepare("EXPLAIN SELECT k FROM ks.t")));
    assertThat(asked.answer()).isEqualTo("2200");
    assertThat(asked.words).contains("cannot be prepared");
    assertThat(fixture.heard()).isZero();
  }
}
