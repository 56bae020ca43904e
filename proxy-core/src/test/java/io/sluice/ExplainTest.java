package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Query;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** EXPLAIN on fake nodes that own {@code ks.t} with the key {@code k int}. */
class ExplainTest {

  private static final int QUERY = 0x07;
  private static final int PREPARE = 0x09;
  private static final int UNAUTHORIZED = 0x2100;

  private final PathFixture fixture =
      new PathFixture(4, new SplitConfig(SplitConfig.Parallel.WAVES, 1000, 8, 1 << 20, false));

  /** The opcodes that nodes have heard. */
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

  private PathFixture.Asked ask(String cql) {
    return fixture.ask(TestFrames.request(4, 0, new Query(cql)));
  }

  /** The lines, each as its cells between bars. */
  private List<String> lines(String cql) throws InterruptedException {
    TestRows.Read rows = ask(cql).page();
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
  void a_range_read_is_shown_step_by_step_and_no_row_is_read() throws InterruptedException {
    answer(ExplainTest::prepared, request -> new TestRows("k int").frame());
    List<String> lines = lines("EXPLAIN SELECT k FROM ks.t LIMIT 50");
    assertThat(lines.get(0))
        .startsWith("split||all tokens|unknown|up to 50 rows of LIMIT 50; the first 4 of about ");
    assertThat(lines.get(1)).startsWith("merge||||rows in the order of tokens");
    assertThat(lines).anyMatch(line -> line.startsWith("send||||SELECT k FROM ks.t"));
    assertThat(lines.get(lines.size() - 1))
        .matches("piece 4\\|127.0.0.1:\\d+.*\\|.*token <= .*\\|unknown\\|asked for 50 rows");
    assertThat(heard).containsExactly(PREPARE, QUERY);
  }

  /** Without LIMIT and page it would be ten thousand. */
  @Test
  void a_whole_read_is_expected_to_return_no_more_rows_than_its_table_has() throws Exception {
    FakeTable table = new FakeTable(400, 20);
    fixture.allDo(table);
    assertThat(ask("SELECT k FROM ks.t").page().cells()).hasSize(19);
    answer(ExplainTest::prepared, request -> new TestRows("k int").frame());
    List<String> lines = lines("EXPLAIN SELECT k FROM ks.t ORDER BY k");
    assertThat(lines.get(0)).containsPattern("\\|about \\d{1,2}\\|whole, not split");
  }

  @Test
  void what_a_node_does_not_prepare_is_refused_in_its_words() throws InterruptedException {
    answer(request -> CqlCodec.error(4, ErrorCode.INVALID, "no"), ExplainTest::prepared);
    assertThat(ask("EXPLAIN SELECT nothing FROM ks.t").answer()).isEqualTo("2200");
    assertThat(heard).containsExactly(PREPARE);
  }

  @ParameterizedTest
  @CsvSource({"SELECT k FROM ks.t", "SELECT k FROM ks.t WHERE k = 1"})
  void a_table_that_one_may_not_read_is_not_explained(String cql) throws InterruptedException {
    answer(ExplainTest::prepared, request -> CqlCodec.error(4, UNAUTHORIZED, "no"));
    assertThat(ask("EXPLAIN " + cql).answer()).isEqualTo("2100");
    assertThat(heard).containsExactly(PREPARE, QUERY);
  }

  @Test
  void a_table_that_is_not_known_is_not_explained() throws InterruptedException {
    answer(ExplainTest::prepared, ExplainTest::prepared);
    assertThat(ask("EXPLAIN SELECT * FROM ks.nothing").answer()).isEqualTo("2200");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "EXPLAIN ANALYZE SELECT * FROM ks.t | ANALYZE is not supported",
        "explain analyze select * from ks.t | ANALYZE is not supported",
        "EXPLAIN INSERT INTO ks.t (k) VALUES (1) | is for SELECT",
        "EXPLAIN USE ks | is for SELECT",
        "EXPLAIN DROP TABLE ks.t | is for SELECT"
      })
  void what_is_not_explained_is_said_in_words(String cql, String words)
      throws InterruptedException {
    PathFixture.Asked asked = ask(cql);
    assertThat(asked.answer()).isEqualTo("2200");
    assertThat(asked.words).contains(words);
    assertThat(fixture.heard()).isZero();
  }

  @Test
  void point_reads_and_system_tables_are_explained_too() throws InterruptedException {
    answer(ExplainTest::prepared, request -> new TestRows("k int").frame());
    assertThat(lines("EXPLAIN SELECT * FROM ks.t WHERE k = 1").get(0))
        .matches("read\\|127.0.0.1:.*\\|\\|unknown\\|one request; .*");
    assertThat(lines("EXPLAIN SELECT * FROM system.local").get(0)).startsWith("answer|");
    assertThat(lines("EXPLAIN SELECT * FROM ks.t WHERE token(k) = 5 ORDER BY k").get(0))
        .contains("whole, not split: ordered");
  }
}
