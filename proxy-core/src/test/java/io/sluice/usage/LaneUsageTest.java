package io.sluice.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.execute.reply.Failure;
import io.sluice.statement.Statement;
import io.sluice.statement.TestStatements;
import io.sluice.testkit.Records;
import io.sluice.time.TestLane;
import io.sluice.usage.LaneUsage.TableFacts;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what an answer or a failure adds to the cost of a statement and of its table. */
class LaneUsageTest {

  private static final long TOOK = 5_000_000;
  private static final long QUEUED = 2_000_000;
  private static final Statement READ = TestStatements.of("SELECT v FROM ks.t WHERE k = 1");

  private final TestLane lane = new TestLane();
  private final Usage usage = new Usage(10, lane);
  private final LaneUsage counted = usage.of(lane);

  private static Frame rows(int count) {
    TestRows rows = new TestRows("v int");
    for (int i = 0; i < count; i++) {
      rows.row(ByteBuffer.allocate(Integer.BYTES));
    }
    return rows.frame();
  }

  private static Frame error(int code) {
    return CqlCodec.error(4, code, "x");
  }

  private void answered(Statement statement, Frame answer) {
    counted.answered(statement, "etl", answer, TOOK, QUEUED, lane.nanoTime());
    answer.release();
  }

  private void failed(Statement statement, Failure failure) {
    counted.failed(statement, "etl", failure, TOOK, QUEUED, lane.nanoTime());
  }

  private List<StatementFacts> statements() {
    List<StatementFacts> all = new ArrayList<>();
    usage.statements(lane, all::addAll);
    lane.runSoon();
    return all;
  }

  private List<TableFacts> tables() {
    List<TableFacts> all = new ArrayList<>();
    usage.tables(lane, all::addAll);
    lane.runSoon();
    return all;
  }

  @Test
  void an_answered_read_counts_for_its_statement_and_its_table() {
    Frame answer = rows(3);
    int bytes = answer.length();
    answered(READ, answer);
    assertThat(statements())
        .singleElement()
        .returns("etl", StatementFacts::role)
        .returns("SELECT v FROM ks.t WHERE k = ?", StatementFacts::text)
        .returns("ks", StatementFacts::keyspace)
        .returns("t", StatementFacts::table)
        .returns("point_read", StatementFacts::shape);
    assertThat(tables())
        .singleElement()
        .returns("ks", TableFacts::keyspace)
        .returns("t", TableFacts::table)
        .returns("point_read", TableFacts::shape);
    for (Cost cost : List.of(statements().get(0).cost(), tables().get(0).cost())) {
      assertThat(cost)
          .returns(1L, Cost::calls)
          .returns(TOOK, Cost::nanos)
          .returns(TOOK, Cost::maxNanos)
          .returns(QUEUED, Cost::queuedNanos)
          .returns(3L, Cost::rows)
          .returns((long) bytes, Cost::bytes)
          .returns(0L, Cost::errors)
          .returns(Cost.NO_ERROR, Cost::lastError);
    }
  }

  @Test
  void calls_of_one_statement_are_summed_whatever_their_literals() {
    answered(READ, rows(1));
    answered(TestStatements.of("SELECT v FROM ks.t WHERE k = 2"), rows(2));
    assertThat(statements())
        .singleElement()
        .satisfies(each -> assertThat(each.cost().calls()).isEqualTo(2))
        .satisfies(each -> assertThat(each.cost().rows()).isEqualTo(3));
  }

  @Test
  void an_error_of_a_node_counts_as_its() {
    answered(READ, rows(1));
    answered(READ, error(ErrorCode.OVERLOADED));
    for (Cost cost : List.of(statements().get(0).cost(), tables().get(0).cost())) {
      assertThat(cost)
          .returns(2L, Cost::calls)
          .returns(1L, Cost::errors)
          .returns(ErrorCode.OVERLOADED, Cost::lastError)
          .returns(true, Cost::wasLastByNode);
    }
  }

  /** The table may not exist. */
  @Test
  void a_table_exists_for_the_counts_from_its_first_answer_without_error() {
    answered(READ, error(ErrorCode.INVALID));
    failed(READ, new Failure.Overloaded("x"));
    assertThat(tables()).isEmpty();
    answered(READ, rows(1));
    failed(READ, new Failure.Overloaded("x"));
    answered(READ, error(ErrorCode.INVALID));
    assertThat(tables())
        .singleElement()
        .satisfies(each -> assertThat(each.cost().calls()).isEqualTo(3))
        .satisfies(each -> assertThat(each.cost().errors()).isEqualTo(2));
  }

  @Test
  void a_failure_of_the_proxy_counts_as_its() {
    failed(READ, new Failure.Unreachable("no node"));
    assertThat(statements().get(0).cost())
        .returns(1L, Cost::calls)
        .returns(TOOK, Cost::nanos)
        .returns(QUEUED, Cost::queuedNanos)
        .returns(0L, Cost::bytes)
        .returns(ErrorCode.UNAVAILABLE, Cost::lastError)
        .returns(false, Cost::wasLastByNode);
  }

  /** The text may be a secret that was typed into the wrong window. */
  @Test
  void a_text_that_no_node_understands_is_not_kept() {
    answered(TestStatements.of("SELECT secret"), error(ErrorCode.SYNTAX_ERROR));
    failed(TestStatements.of("SELEKT secret"), new Failure.Overloaded("x"));
    assertThat(statements())
        .singleElement()
        .returns(true, StatementFacts::isOthers)
        .satisfies(each -> assertThat(each.cost().calls()).isEqualTo(2))
        .satisfies(each -> assertThat(each.cost().errors()).isEqualTo(2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SELECT * FROM system_proxy.nodes", "USE system_proxy"})
  void statements_that_the_proxy_answers_do_not_count(String cql) {
    answered(TestStatements.of(cql), rows(1));
    failed(TestStatements.of(cql), new Failure.Overloaded("x"));
    assertThat(statements()).isEmpty();
  }

  @Test
  void a_statement_that_is_only_prepared_does_not_count() {
    Statement prepares = Records.with(READ, "prepares", new PreparedText("SELECT", null));
    answered(prepares, rows(1));
    failed(prepares, new Failure.Overloaded("x"));
    assertThat(statements()).isEmpty();
    assertThat(tables()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT v FROM ks.t WHERE k = 1        | point_read",
        "SELECT v FROM ks.t WHERE k IN (1, 2)  | multi_point_read",
        "SELECT v FROM ks.t                    | range_read",
        "INSERT INTO ks.t (k, v) VALUES (1, 2) | write",
        "TRUNCATE ks.t                         | ''",
      })
  void a_table_has_a_row_for_each_class_of_its_reads_and_writes(String cql, String shape) {
    answered(TestStatements.of(cql), rows(0));
    assertThat(tables())
        .extracting(TableFacts::shape)
        .isEqualTo(shape.isEmpty() ? List.of() : List.of(shape));
    assertThat(statements()).hasSize(1);
  }

  @Test
  void more_tables_than_fit_are_counted_together_by_class() {
    for (int i = 0; i < 1_002; i++) {
      answered(TestStatements.of("SELECT v FROM ks.t" + i + " WHERE k = 1"), rows(1));
    }
    answered(TestStatements.of("SELECT v FROM ks.t7 WHERE k = 1"), rows(1));
    List<TableFacts> tables = tables();
    assertThat(tables).hasSize(1_001);
    assertThat(tables)
        .as("a table that has a place keeps it")
        .filteredOn(each -> each.table().equals("t7"))
        .singleElement()
        .satisfies(each -> assertThat(each.cost().calls()).isEqualTo(2));
    assertThat(tables)
        .filteredOn(each -> each.table().isEmpty())
        .singleElement()
        .returns("", TableFacts::keyspace)
        .returns("point_read", TableFacts::shape)
        .satisfies(each -> assertThat(each.cost().calls()).isEqualTo(2));
  }

  @Test
  void a_name_that_no_cassandra_accepts_is_not_kept() {
    String longest = "t".repeat(222);
    answered(TestStatements.of("SELECT v FROM ks." + longest + " WHERE k = 1"), rows(1));
    answered(TestStatements.of("SELECT w FROM ks." + longest + "t WHERE k = 1"), rows(1));
    assertThat(statements())
        .extracting(StatementFacts::table)
        .containsExactlyInAnyOrder(longest, null);
  }

  @Test
  void a_malformed_answer_counts_without_rows() {
    answered(READ, TestFrames.of("84 00 0000 08 00000006 00000002 0000"));
    assertThat(statements().get(0).cost()).returns(1L, Cost::calls).returns(0L, Cost::rows);
  }

  @Test
  void the_counts_of_all_lanes_are_joined() {
    TestLane other = new TestLane();
    answered(READ, rows(1));
    Frame answer = rows(4);
    usage.of(other).answered(READ, "etl", answer, TOOK, 0, 0);
    answer.release();
    assertThat(usage.of(lane)).isSameAs(counted);
    List<StatementFacts> all = new ArrayList<>();
    List<TableFacts> tables = new ArrayList<>();
    usage.statements(lane, all::addAll);
    usage.tables(lane, tables::addAll);
    for (int i = 0; i < 3; i++) {
      lane.runSoon();
      other.runSoon();
    }
    assertThat(all).singleElement().satisfies(each -> assertThat(each.cost().rows()).isEqualTo(5));
    assertThat(tables)
        .singleElement()
        .satisfies(each -> assertThat(each.cost().calls()).isEqualTo(2));
  }
}
