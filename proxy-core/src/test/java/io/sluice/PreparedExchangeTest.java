package io.sluice;

import static io.sluice.TestRequests.rows;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.Opcode;
import io.sluice.wire.PreparedId;
import io.sluice.wire.TestFrames;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests statements that nodes have forgotten, or whose columns have changed since they were
 * prepared.
 */
class PreparedExchangeTest {

  private final PathFixture fixture = new PathFixture(2);

  @AfterEach
  void close() {
    fixture.close();
  }

  private static Frame execute(PreparedId id) {
    return TestFrames.request(
        4, 9, new Execute(id.toString().getBytes(StandardCharsets.UTF_8), QueryOptions.DEFAULT));
  }

  @Test
  void an_unknown_id_is_unprepared() throws InterruptedException {
    assertThat(fixture.ask(execute(TestFrames.id("x"))).answer()).isEqualTo("2500");
    assertThat(fixture.heard()).isZero();
  }

  /** Prepares a point read whose id the nodes then forget. Returns the number of prepares. */
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
  void a_forgotten_statement_is_prepared_again_without_an_error() throws InterruptedException {
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
                Map.of(),
                true,
                -1,
                null,
                8,
                QueryOptions.NO_DEFAULT_TIMESTAMP,
                null,
                QueryOptions.NO_NOW_IN_SECONDS)));
  }

  /** UNPREPARED tells a driver that the columns of a statement have changed. */
  @Test
  void for_a_forgotten_statement_with_changed_columns_the_client_gets_unprepared()
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
        .as("before the client prepares again")
        .isEqualTo("2500");
    Frame prepare = CqlCodec.prepare(4, "SELECT v FROM ks.t WHERE k = 1", null);
    assertThat(fixture.ask(prepare).answer()).isEqualTo("opcode 8");
    assertThat(fixture.ask(executeSkippingMetadata(TestFrames.id("x"))).answer()).isEqualTo("rows");
  }

  /** Another client may have prepared the statement at the node after the columns changed. */
  @Test
  void for_rows_with_changed_columns_the_client_gets_unprepared() throws InterruptedException {
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
  void a_statement_that_stays_forgotten_is_prepared_again_once() throws InterruptedException {
    AtomicInteger prepared = prepareAndForget(sameAs("x"), false, true);
    assertThat(fixture.ask(execute(TestFrames.id("x"))).answer()).isEqualTo("2500");
    assertThat(prepared).hasValue(2);
  }

  @Test
  void when_preparing_again_fails_the_client_gets_unprepared() throws InterruptedException {
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
  void when_the_node_dies_while_preparing_again_the_client_gets_unprepared()
      throws InterruptedException {
    PreparedId id = sameAs("x");
    prepareAndForget(id, false, true);
    fixture.allDo(
        request ->
            request.opcode() == Opcode.PREPARE
                ? fixture.dies().answer(request)
                : TestFrames.unprepared(4, id, false));
    assertThat(fixture.ask(execute(TestFrames.id("x"))).answer()).isEqualTo("2500");
  }

  @Test
  void a_read_fails_over_from_a_node_that_falls_silent_while_preparing_again()
      throws InterruptedException {
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
}
