package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.execute.reply.Failure;
import io.sluice.statement.Statement;

/** A request that no node is asked for: it is answered with an error. */
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
    // Nothing is under way.
  }
}
