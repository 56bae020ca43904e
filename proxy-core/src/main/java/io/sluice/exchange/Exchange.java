package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.execute.reply.Failure;
import io.sluice.statement.Statement;
import io.sluice.time.Lane;
import io.sluice.time.Timer;
import io.sluice.wire.Frame;

/**
 * One client request under way, from its plan to its one answer. Everything runs on the client's
 * lane.
 */
public abstract class Exchange {

  private final ProxyContext context;
  private final ClientRequest request;
  private final Statement statement;
  private final long arrival;
  private Timer.Timeout deadline;
  private boolean over;

  protected Exchange(
      ProxyContext context, ClientRequest request, Statement statement, long nanosLeft) {
    this.context = context;
    this.request = request;
    this.statement = statement;
    this.arrival = context.clock().nanoTime();
    this.deadline = lane().schedule(nanosLeft, this::timeOut);
  }

  protected ProxyContext context() {
    return context;
  }

  protected ClientRequest request() {
    return request;
  }

  protected Statement statement() {
    return statement;
  }

  protected final Lane lane() {
    return request.client().lane();
  }

  /** When it came, on the path's clock. */
  protected long arrival() {
    return arrival;
  }

  protected boolean isOver() {
    return over;
  }

  /** Puts the end of its time off: so much is left from now. */
  protected void extend(long nanosLeft) {
    if (!over) {
      deadline.cancel();
      deadline = lane().schedule(nanosLeft, this::timeOut);
    }
  }

  /** The one answer; takes the frame over. */
  protected void answer(Frame frame) {
    if (!finish()) {
      frame.release();
      return;
    }
    try {
      context.answers().answer(request, statement, frame, context.clock().nanoTime() - arrival);
    } catch (RuntimeException | StackOverflowError e) {
      frame.releaseUnlessGone();
      context.answers().fail(request, statement, Failure.internal(e));
    }
  }

  /** The one answer, an error of the proxy's own. */
  protected void fail(Failure failure) {
    if (finish()) {
      context.answers().fail(request, statement, failure);
    }
  }

  /**
   * Ends without an answer, for another exchange to give it, which owns the request from here on.
   *
   * @return false when it was answered already
   */
  protected boolean handOver() {
    if (over) {
      return false;
    }
    over = true;
    deadline.cancel();
    return true;
  }

  private boolean finish() {
    boolean first = handOver();
    if (first) {
      request.frame().release();
    }
    return first;
  }

  private void timeOut() {
    if (!over) {
      timedOut();
      fail(new Failure.Unknown("Operation timed out: no node answered within the deadline"));
    }
  }

  /** Its time is over: attempts, slots and places in queues have to be given up. */
  protected abstract void timedOut();
}
