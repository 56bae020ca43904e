package io.sluice;

import static io.sluice.TestRequests.query;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Batch;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.time.NanoClock;
import io.sluice.time.SystemTime;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests the statements and tables whose cost the console shows. */
class CountedStatementsTest extends ConsoleFixture {

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
    fixture.view.forgetNodes();
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
}
