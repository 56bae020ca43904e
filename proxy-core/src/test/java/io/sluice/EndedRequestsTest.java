package io.sluice;

import static io.sluice.TestRequests.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.wire.ErrorCode;
import io.sluice.wire.Opcode;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests requests in flight, as the console shows and ends them. */
class EndedRequestsTest extends ConsoleFixture {

  @Test
  void a_read_that_no_node_answers_is_shown_and_can_be_ended() throws InterruptedException {
    fixture.allDo(request -> null);
    PathFixture.Asked read = fixture.ask(TestRequests.read());
    Awaitility.await().until(() -> fixture.slotsHeld() == 1);
    assertThat(
            meanwhile(
                fixture,
                "SELECT keyspace_name, table_name, class, role FROM system_proxy.requests"))
        .containsExactly(List.of("ks", "t", "point_read", "anonymous"));
    assertThat(
            meanwhile(
                fixture,
                "SELECT JSON estimated_left_ms FROM system_proxy.requests WHERE waited_ms >= 0"))
        .containsExactly(List.of("{\"estimated_left_ms\": null}"));
    assertThat(
            fixture
                .ask(query("DELETE FROM system_proxy.requests WHERE role = 'x'"))
                .answerMeanwhile())
        .isEqualTo("opcode " + Opcode.RESULT);
    assertThat(read.isAnswered()).isFalse();
    fixture
        .ask(query("DELETE FROM system_proxy.requests WHERE table_name = 't'"))
        .answerMeanwhile();
    assertThat(read.answer()).isEqualTo("2200");
    assertThat(read.words).contains("ended by role anonymous from");
    assertThat(texts("SELECT state FROM system_proxy.requests")).isEmpty();
    assertThat(fixture.scheduler.snapshot().nodes())
        .as("reads counted as overload")
        .allMatch(node -> node.point().overloaded() == 0);
  }

  @Test
  void a_write_that_is_ended_may_have_been_executed() throws InterruptedException {
    fixture.allDo(request -> null);
    PathFixture.Asked write = fixture.ask(TestRequests.write());
    Awaitility.await().until(() -> fixture.heard() == 1);
    fixture.ask(query("DELETE FROM system_proxy.requests WHERE class = 'write'")).answerMeanwhile();
    assertThat(write.answer()).isEqualTo("1100");
  }

  @Test
  void a_scan_that_is_ended_frees_its_slots_and_memory() throws InterruptedException {
    try (PathFixture pieces = new PathFixture(3, PIECES)) {
      pieces.allDo(request -> null);
      PathFixture.Asked scan = pieces.ask(query("SELECT * FROM ks.t"));
      Awaitility.await().until(() -> pieces.slotsHeld() > 1);
      assertThat(meanwhile(pieces, "SELECT state FROM system_proxy.requests WHERE pieces > 1"))
          .containsExactly(List.of("reading"));
      pieces.ask(query("DELETE FROM system_proxy.requests WHERE pieces > 0")).answerMeanwhile();
      assertThat(pieces.slotsHeld()).isZero();
      assertThat(scan.answer()).isEqualTo("2200");
      assertThat(pieces.rangeReads.isIdle()).isTrue();
    }
  }

  @Test
  void an_ordinary_role_may_end_no_request() throws InterruptedException {
    asAlice(false);
    refused(
        "DELETE FROM system_proxy.requests WHERE role = 'alice'",
        ErrorCode.UNAUTHORIZED,
        "console.roles");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE FROM system_proxy.nodes WHERE node = 'x'",
        "UPDATE system_proxy.requests SET state = 'x' WHERE id = 1",
        "DELETE FROM system_proxy.requests WHERE nothing = 1",
      })
  void an_unsupported_change_is_refused(String cql) throws InterruptedException {
    assertThat(fixture.ask(query(cql)).answer()).isEqualTo("2200");
  }
}
