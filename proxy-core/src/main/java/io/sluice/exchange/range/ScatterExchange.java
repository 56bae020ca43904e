package io.sluice.exchange.range;

import io.sluice.accept.ClientRequest;
import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.decide.plan.Splittable.Reason;
import io.sluice.exchange.Exchange;
import io.sluice.exchange.ProxyContext;
import io.sluice.exchange.ReadTrace.FirstSent;
import io.sluice.exchange.RunningRequests.RequestFacts;
import io.sluice.execute.reply.Failure;
import io.sluice.wire.Frame;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of a page that is read in pieces. A page without a row limit may take any time while
 * answers arrive; any other page has the range timeout. When nodes differ in the table's columns,
 * the page is read again at one node.
 */
final class ScatterExchange extends Exchange implements PageOutcome {

  /** The most times that a page is begun. All pauses together take less than a second. */
  private static final int MAX_BEGINNINGS = 6;

  /** The first pause, in which the node may learn of the change. */
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final RangeReads reads;
  private final RangePage page;
  private final Scatter plan;

  /** Across all beginnings: the time before the first one is the only wait in queues. */
  private final FirstSent firstSent = new FirstSent();

  private @Nullable PageRead read;
  private int beginnings = 1;

  ScatterExchange(
      ProxyContext context, ClientRequest request, RangePage page, Scatter plan, RangeReads reads) {
    super(context, request, page.statement(), context.rangeTimeoutNanos());
    this.reads = reads;
    this.page = page;
    this.plan = plan;
  }

  @Override
  protected void begin() {
    read(reads.read(page, plan, this));
  }

  private void read(PageRead next) {
    read = next;
    next.start();
  }

  @Override
  public void page(Frame answer) {
    answer(answer);
  }

  @Override
  public void error(Frame answer) {
    answer(answer);
  }

  @Override
  public void failed(Failure failure) {
    fail(failure);
  }

  @Override
  public void mustGoWhole(Reason reason) {
    guarded(() -> handOverTo(reads.whole(request(), statement(), reason)));
  }

  @Override
  public void schemaChanged(String message) {
    firstSent.sent(sentNanos(context().clock().nanoTime()));
    guarded(() -> readAgain(message));
  }

  /**
   * Reads the page again, at one node: the first time at once, then after pauses that double. A
   * node that was down during a change may learn of it a minute after its return.
   */
  private void readAgain(String message) {
    if (beginnings == MAX_BEGINNINGS) {
      refuse(message);
      return;
    }
    beginnings++;
    if (beginnings == 2) {
      readNow(message);
    } else {
      lane().schedule(FIRST_PAUSE_NANOS << (beginnings - 3), () -> guarded(() -> readNow(message)));
    }
  }

  private void readNow(String message) {
    if (isOver()) {
      return;
    }
    Scatter again = reads.scatter(page);
    if (again == null) {
      refuse(message);
    } else {
      read(reads.readAtOneNode(page, again, this));
    }
  }

  private void refuse(String message) {
    fail(new Failure.Internal(message + "; ask for it again from its beginning"));
  }

  @Override
  public void progressed() {
    if (plan.wanted() == SubRequest.ALL && !statement().hasTimeout()) {
      extend(context().rangeTimeoutNanos());
    }
  }

  @Override
  public boolean isWanted() {
    return !isOver() && request().replyTo().isOpen();
  }

  @Override
  protected void giveUp() {
    if (read != null) {
      read.close();
    }
  }

  @Override
  protected void abandon() {
    if (read != null) {
      read.abandon();
    }
  }

  @Override
  protected long sentNanos(long now) {
    return firstSent.or(read == null ? now : read.sentNanos(now));
  }

  @Override
  protected RequestFacts.Progress progress() {
    return read == null ? super.progress() : read.facts(plan.wanted());
  }
}
