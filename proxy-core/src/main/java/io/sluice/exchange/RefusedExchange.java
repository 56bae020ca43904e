package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.execute.reply.Failure;
import io.sluice.statement.Statement;

/** The exchange of a request that the proxy answers with an error without asking a node. */
final class RefusedExchange extends Exchange {

  private final Failure failure;

  RefusedExchange(
      ProxyContext context, ClientRequest request, Statement statement, Failure failure) {
    super(context, request, statement, context.requestTimeoutNanos());
    this.failure = failure;
  }

  @Override
  protected void begin() {
    fail(failure);
  }

  @Override
  protected void giveUp() {
    // Nothing is in flight.
  }
}
