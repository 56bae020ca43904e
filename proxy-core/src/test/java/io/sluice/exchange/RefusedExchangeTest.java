package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.accept.ClientRequest;
import io.sluice.execute.reply.Failure;
import io.sluice.statement.Statement;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import org.junit.jupiter.api.Test;

/** Tests a request that the proxy answers with an error without a request to a node. */
class RefusedExchangeTest extends ExchangeFixture {

  private static final Failure WHY = new Failure.Refused(ErrorCode.INVALID, "why");

  private RefusedExchange refused(ClientRequest request, Statement statement) {
    return new RefusedExchange(context, request, statement, WHY);
  }

  @Test
  void the_failure_is_the_answer_at_once_and_no_node_gets_the_request() {
    Asked asked = ask(CqlCodec.query(4, READ), this::refused);
    assertThat(asked.said()).isEqualTo("2200");
    assertThat(asked.words()).isEqualTo("why");
    assertThat(asked.exchange().isOver()).isTrue();
    assertThat(lane.scheduled()).as("timers").isZero();
    sentNoneTo(1, 2, 3);
  }
}
