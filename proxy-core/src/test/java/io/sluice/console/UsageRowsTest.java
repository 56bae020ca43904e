package io.sluice.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.execute.reply.Failure;
import io.sluice.statement.PreparedCache.PreparedFacts;
import io.sluice.statement.Statement;
import io.sluice.statement.TestStatements;
import io.sluice.time.TestLane;
import io.sluice.usage.LaneUsage.TableFacts;
import io.sluice.usage.StatementFacts;
import io.sluice.usage.Usage;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.PreparedId;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the rows of the tables about the cost of statements and tables. */
class UsageRowsTest {

  private static final long MILLI = 1_000_000;
  private static final Statement READ = TestStatements.of("SELECT v FROM ks.t WHERE k = 1");

  private final TestLane lane = new TestLane();
  private final Usage usage = new Usage(1, lane);

  private int answered(Statement statement, String role, Frame answer, long millis) {
    int bytes = answer.length();
    usage.of(lane).answered(statement, role, answer, millis * MILLI, MILLI, lane.nanoTime());
    answer.release();
    return bytes;
  }

  private static Frame row() {
    return new TestRows("v int").row(ByteBuffer.allocate(Integer.BYTES)).frame();
  }

  private List<StatementFacts> statements() {
    List<StatementFacts> all = new ArrayList<>();
    usage.statements(lane, all::addAll);
    lane.runSoon();
    return all;
  }

  private String tables() {
    List<TableFacts> all = new ArrayList<>();
    usage.tables(lane, all::addAll);
    lane.runSoon();
    return UsageTables.TABLES.table(all).json();
  }

  private static String json(List<StatementFacts> facts) {
    return UsageTables.STATEMENTS.table(facts).json();
  }

  /** Both calls last as long, so that each quantile is the maximum and no estimate. */
  @Test
  void a_statement_shows_its_sums_its_means_and_its_last_error() {
    int bytes = answered(READ, "etl", row(), 4);
    bytes += answered(READ, "etl", CqlCodec.error(4, ErrorCode.OVERLOADED, "x"), 4);
    assertThat(json(statements()))
        .isEqualTo(
            ConsoleTexts.json(
                "digest: '" + ProcessTables.digest(READ.classified().digest()) + "'",
                "role: 'etl'",
                "bytes: " + bytes,
                "calls: 2",
                "class: 'point_read'",
                "errors: 1",
                "keyspace_name: 'ks'",
                "last_error: 'OVERLOADED by a node'",
                "max_ms: 4.0",
                "mean_ms: 4.0",
                "p50_ms: " + statements().get(0).cost().quantileNanos(0.5) / 1e6,
                "p99_ms: " + statements().get(0).cost().quantileNanos(0.99) / 1e6,
                "queue_ms: 1.0",
                "rows: 1",
                "table_name: 't'",
                "text: 'SELECT v FROM ks.t WHERE k = ?'",
                "total_ms: 8.0"));
  }

  @Test
  void an_error_of_the_proxy_is_named_as_its() {
    usage.of(lane).failed(READ, "etl", new Failure.Unreachable("x"), MILLI, 0, lane.nanoTime());
    assertThat(json(statements())).contains("\"last_error\":\"UNAVAILABLE by Sluice\"");
  }

  @Test
  void a_statement_without_errors_has_no_last_one() {
    answered(READ, "etl", row(), 4);
    assertThat(json(statements())).contains("\"errors\":0").contains("\"last_error\":null");
  }

  @Test
  void a_table_shows_its_sums_and_means_by_class() {
    int bytes = answered(READ, "etl", row(), 2);
    bytes += answered(READ, "bob", row(), 6);
    String json = tables();
    assertThat(json)
        .startsWith(
            "[{\"keyspace_name\":\"ks\",\"table_name\":\"t\",\"class\":\"point_read\",\"bytes\":"
                + bytes
                + ",\"calls\":2,\"errors\":0,\"mean_ms\":4.0,")
        .endsWith(",\"queue_ms\":1.0,\"rows\":2,\"total_ms\":8.0}]");
  }

  @Test
  void statements_that_do_not_fit_are_others() {
    answered(READ, "etl", row(), 4);
    answered(TestStatements.of("SELECT w FROM ks.u"), "etl", row(), 4);
    assertThat(statements()).hasSize(2);
    assertThat(json(statements().subList(1, 2)))
        .startsWith("[{\"digest\":\"others\",\"role\":\"\",")
        .contains("\"calls\":1,\"class\":\"\"")
        .contains("\"keyspace_name\":null")
        .contains("\"table_name\":null,\"text\":\"\"");
  }

  @Test
  void a_role_sees_its_own_statements_and_not_the_others() {
    answered(READ, "etl", row(), 4);
    answered(READ, "bob", row(), 4);
    Asker bob = new Asker("x", "bob", lane, null, false);
    Asker etl = new Asker("x", "etl", lane, null, false);
    assertThat(UsageTables.seen(statements(), bob)).isEmpty();
    assertThat(UsageTables.seen(statements(), etl)).hasSize(1);
    assertThat(UsageTables.seen(statements(), Asker.operator(lane))).hasSize(2);
  }

  @Test
  void a_prepared_statement_has_the_calls_of_all_roles() {
    Usage large = new Usage(10, lane);
    for (String role : List.of("etl", "bob", "bob")) {
      Frame answer = row();
      large.of(lane).answered(READ, role, answer, MILLI, 0, lane.nanoTime());
      answer.release();
    }
    List<StatementFacts> counted = new ArrayList<>();
    large.statements(lane, counted::addAll);
    lane.runSoon();
    PreparedFacts prepared =
        new PreparedFacts(PreparedId.of("x"), null, READ.classified().digest(), "SELECT");
    PreparedFacts unused = new PreparedFacts(PreparedId.of("y"), null, 5, "SELECT");
    assertThat(ProcessTables.prepared(List.of(prepared, unused), counted))
        .extracting(ProcessTables.PreparedFact::calls)
        .containsExactly(3L, 0L);
  }
}
