package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.accept.ClientRequest;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.link.LinkFailure;
import io.sluice.link.MemoryNodes;
import io.sluice.statement.Statement;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.Opcode;
import io.sluice.wire.TestFrames;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which nodes prepare a statement before the proxy answers, and what their errors become. */
class PreparingExchangeTest extends ExchangeFixture {

  private static final String OK = "opcode 8";

  /** An exchange that needs nothing but a node that prepares {@code USE one}. */
  private final class Preparing extends PreparingExchange {

    Preparing(ClientRequest request, Statement statement) {
      super(context, request, statement, new PreparedText("USE one", "ks"), ids());
    }

    @Override
    void agreed() {
      answer(CqlCodec.done(4));
    }
  }

  private Asked prepare() {
    return ask(CqlCodec.query(client.version(), WRITE), Preparing::new);
  }

  private static Frame prepared() {
    return TestFrames.prepared(4, TestFrames.id("x"), "v");
  }

  @Test
  void a_node_prepares_the_statement_and_does_not_execute_it() {
    Asked asked = prepare();
    MemoryNodes.Asked sent = sentTo(1);
    assertThat(sent.request().opcode()).isEqualTo(Opcode.PREPARE);
    Frame answer = prepared();
    sent.answer(answer);
    assertThat(asked.said()).isEqualTo(OK);
    assertThat(TestFrames.isReleased(answer)).isTrue();
    assertThat(lane.scheduled()).as("timers").isZero();
    sentNoneTo(1, 2, 3);
  }

  @Test
  void an_error_of_the_node_is_the_answer_and_no_other_node_is_asked() {
    Asked asked = prepare();
    sentTo(1).answer(CqlCodec.error(4, ErrorCode.SYNTAX_ERROR, "line 1:8"));
    assertThat(asked.said()).isEqualTo("2000");
    assertThat(asked.words()).isEqualTo("line 1:8");
    sentNoneTo(1, 2, 3);
  }

  @Test
  void the_first_healthy_node_prepares() {
    health.suspect(id(1), true);
    prepare();
    sentNoneTo(1, 3);
    sentTo(2).answer(prepared());
    health.suspect(id(1), false);
  }

  @Test
  void the_next_node_prepares_when_one_is_lost_or_cannot_be_reached() {
    nodes.dies(1);
    Asked asked = prepare();
    diesWithRequest(2);
    sentTo(3).answer(prepared());
    assertThat(asked.said()).isEqualTo(OK);
  }

  @Test
  void without_a_reachable_node_the_error_says_so() {
    List.of(1, 2, 3).forEach(nodes::dies);
    Asked asked = prepare();
    assertThat(asked.said()).isEqualTo("1000");
    assertThat(asked.words()).isEqualTo("No node could be asked about the statement");
  }

  @Test
  void a_link_that_a_node_refuses_is_the_error_and_no_other_node_is_asked() {
    nodes.refuses(1, new LinkFailure(ErrorCode.INVALID, "Keyspace 'a' does not exist"));
    Asked asked = prepare();
    assertThat(asked.said()).isEqualTo("2200");
    assertThat(asked.words()).isEqualTo("Keyspace 'a' does not exist");
    sentNoneTo(2, 3);
  }

  @Test
  void the_next_node_prepares_when_one_is_silent_and_the_late_answer_is_dropped() {
    Asked asked = prepare();
    MemoryNodes.Asked first = sentTo(1);
    nodes.isSilent(1);
    MemoryNodes.Asked second = sentTo(2);
    first.answer(prepared());
    assertThat(asked.said()).isEqualTo("nothing");
    nodes.isSilent(2);
    sentTo(3).answer(prepared());
    assertThat(asked.said()).isEqualTo(OK);
    second.answer(prepared());
  }

  @Test
  void the_last_node_may_be_silent_and_answer_late() {
    nodes.dies(1);
    nodes.dies(2);
    Asked asked = prepare();
    MemoryNodes.Asked last = sentTo(3);
    nodes.isSilent(3);
    assertThat(asked.said()).isEqualTo("nothing");
    last.answer(prepared());
    assertThat(asked.said()).isEqualTo(OK);
  }

  @Test
  void a_statement_that_no_node_prepares_in_time_ends_at_its_deadline() {
    Asked asked = prepare();
    MemoryNodes.Asked sent = sentTo(1);
    lane.pass(12_000);
    assertThat(asked.said()).isEqualTo("1100");
    assertThat(asked.words()).contains("no node answered within 12000 ms");
    sent.ignore();
  }

  /** Before protocol 5 the link has the keyspace. */
  @ParameterizedTest
  @CsvSource({"4, ", "5, ks"})
  void the_keyspace_is_a_part_of_the_prepare_from_protocol_5_on(
      int version, @Nullable String keyspace) {
    client = new TestClient(version, lane);
    Asked asked = prepare();
    MemoryNodes.Asked sent = sentTo(1);
    CqlRequest.Prepare prepare = (CqlRequest.Prepare) CqlRequest.of(sent.request());
    assertThat(prepare.cql()).isEqualTo("USE one");
    assertThat(prepare.keyspace()).isEqualTo(keyspace);
    sent.answer(CqlCodec.error(version, ErrorCode.INVALID, "no"));
    assertThat(asked.said()).isEqualTo("2200");
  }
}
