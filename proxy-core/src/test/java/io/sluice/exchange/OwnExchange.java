package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.statement.Statement;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** An exchange whose steps are the test's. It may take 2 s. */
final class OwnExchange extends Exchange {

  /** Called when the exchange begins. */
  private final Consumer<OwnExchange> beginning;

  /** Called when the exchange gives up. */
  Runnable givingUp = () -> {};

  int ends;

  OwnExchange(
      ProxyContext context,
      ClientRequest request,
      Statement statement,
      Consumer<OwnExchange> beginning) {
    super(context, request, statement, TimeUnit.SECONDS.toNanos(2));
    this.beginning = beginning;
  }

  @Override
  protected void begin() {
    beginning.accept(this);
  }

  @Override
  protected void giveUp() {
    givingUp.run();
  }

  @Override
  protected void onEnd() {
    ends++;
  }
}
