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

/** Statements that nodes have forgotten, or whose columns have changed since they were prepared. */
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
                ? fixture.dies().answer(request)
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
}
