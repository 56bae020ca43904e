package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.link.MemoryNodes;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import org.junit.jupiter.api.Test;

/** Tests a USE that the proxy does not understand: no node executes it, and it is an error. */
class UnclearUseExchangeTest extends ExchangeFixture {

  private static final String UNCLEAR = "USE one two";

  private Asked use() {
    return ask(
        CqlCodec.query(4, UNCLEAR),
        (request, statement) -> exchanges.unclearUse(request, statement, ids()));
  }

  @Test
  void it_is_prepared_as_it_came_and_the_error_of_the_node_is_the_answer() {
    client.uses("ks");
    Asked asked = use();
    MemoryNodes.Asked sent = sentTo(1);
    assertThat(CqlRequest.of(sent.request()))
        .isInstanceOfSatisfying(
            CqlRequest.Prepare.class, prepare -> assertThat(prepare.cql()).isEqualTo(UNCLEAR));
    sent.answer(CqlCodec.error(4, ErrorCode.SYNTAX_ERROR, "line 1:8"));
    assertThat(asked.said()).isEqualTo("2000");
    assertThat(asked.words()).isEqualTo("line 1:8");
    assertThat(client.keyspace()).isEqualTo("ks");
  }

  @Test
  void it_is_an_error_of_syntax_even_if_a_node_prepares_it() {
    Asked asked = use();
    Frame answer = TestFrames.prepared(4, TestFrames.id("x"), "v");
    sentTo(1).answer(answer);
    assertThat(asked.said()).isEqualTo("2000");
    assertThat(asked.words()).isEqualTo("Sluice does not understand this USE: write USE name");
    assertThat(TestFrames.isReleased(answer)).isTrue();
    assertThat(client.keyspace()).isNull();
    sentNoneTo(1, 2, 3);
  }
}
