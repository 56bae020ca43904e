package io.sluice.exchange.range;

import io.sluice.accept.ClientRequest;
import io.sluice.exchange.Exchange;
import io.sluice.exchange.ProxyContext;
import io.sluice.execute.reply.Failure;
import io.sluice.statement.Statement;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The exchange of a further page of a table that the view does not show yet. Another proxy has
 * learned of the table earlier, and has read the page before. The exchange waits until the view
 * shows the schema of the nodes, and plans the request again.
 */
final class LateTableExchange extends Exchange {

  /** How often the view is brought up to date. Without the table then, it was dropped. */
  private static final int MAX_LOOKS = 5;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final BooleanSupplier known;
  private final Supplier<Exchange> again;
  private final Failure otherwise;
  private int looks;

  /**
   * Creates an exchange that waits.
   *
   * @param known whether the view shows the table
   * @param again plans the request again
   * @param otherwise the failure when the view does not show the table in the end
   */
  LateTableExchange(
      ProxyContext context,
      ClientRequest request,
      Statement statement,
      BooleanSupplier known,
      Supplier<Exchange> again,
      Failure otherwise) {
    super(context, request, statement, context.rangeTimeoutNanos());
    this.known = known;
    this.again = again;
    this.otherwise = otherwise;
  }

  @Override
  protected void begin() {
    look();
  }

  private void look() {
    looks++;
    context()
        .cluster()
        .agreement()
        .whenComplete((agreed, thrown) -> lane().execute(() -> guarded(this::looked)));
  }

  private void looked() {
    if (isOver()) {
      return;
    }
    if (known.getAsBoolean()) {
      handOverTo(again.get());
    } else if (looks == MAX_LOOKS) {
      fail(otherwise);
    } else {
      lane().schedule(PAUSE_NANOS, () -> guarded(this::lookAgain));
    }
  }

  private void lookAgain() {
    if (!isOver()) {
      look();
    }
  }

  @Override
  protected void giveUp() {
    // Nothing is in flight.
  }
}
