package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.decide.rule.Line;
import io.sluice.decide.rule.Rule.Limit;
import io.sluice.decide.rule.RuleQuota;
import io.sluice.decide.rule.Ruling;
import io.sluice.execute.reply.Failure;
import io.sluice.statement.Statement;
import io.sluice.wire.Answers;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.Opcode;
import org.jspecify.annotations.Nullable;

/**
 * One client request in flight, from its plan to its one answer. An exception on the way becomes an
 * error response. Not safe for several threads: its client's lane.
 */
public abstract class Exchange extends RunningRequest implements RulePlace.Holder {

  /** Parsed requests that take no more memory than this are not counted: most are smaller. */
  private static final int SMALL_BYTES = 4096;

  private final RequestDeadline deadline;
  private @Nullable RulePlace place;
  private long parsedBytes;
  private boolean over;

  /**
   * Creates an exchange that {@link #start} starts. The frame stays the caller's until then.
   *
   * @param nanosLeft time until the proxy answers with an error
   */
  protected Exchange(
      ProxyContext context, ClientRequest request, Statement statement, long nanosLeft) {
    super(context, request, statement);
    this.deadline = new RequestDeadline(this, statement.timeoutNanos(nanosLeft));
  }

  /** Starts the exchange and takes the request over. Called once; never throws. */
  public final void start() {
    deadline.start();
    start(this::beginTraced);
  }

  private void start(Runnable first) {
    joins();
    countParsed();
    guarded(first);
  }

  /** Counts the parsed statement for the client, as its text may take many times its bytes. */
  private void countParsed() {
    long bytes = statement().heapBytes(request().frame().opcode() == Opcode.EXECUTE);
    if (bytes > SMALL_BYTES) {
      parsedBytes = bytes;
      request().client().buffered(bytes);
    }
  }

  private void beginTraced() {
    beginTrace();
    beginUnderRule();
  }

  /** Begins at once, or waits until the limits of the rule have room. */
  private void beginUnderRule() {
    Ruling ruling = statement().ruling();
    RuleQuota quota = ruling == null ? null : ruling.quota();
    if (quota == null || place != null) {
      begin();
      return;
    }
    RulePlace taken =
        new RulePlace(quota, Line.of(statement().isRangeRead()), context().clock(), this);
    place = taken;
    if (taken.take()) {
      begin();
    }
  }

  @Override
  final boolean hasBegun() {
    return place == null || place.isInside();
  }

  /** Begins after a wait for a limit of the rule. */
  @Override
  public final void letIn() {
    guarded(this::begin);
  }

  /** Fails with OVERLOADED after a wait for a limit of the rule. */
  @Override
  public final void refused(Limit limit) {
    Ruling ruling = statement().ruling();
    if (ruling != null && !over) {
      context().meters().limited(ruling.rule(), limit, statement());
      fail(new Failure.Overloaded(ruling.refused(limit)));
    }
  }

  /** Executes the request. */
  protected abstract void begin();

  /** Runs a step. An exception ends the exchange with an error. */
  protected final void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      end(context().answers().fault(e));
    }
  }

  @Override
  protected final void end(Failure failure) {
    if (over) {
      return;
    }
    try {
      giveUp();
    } finally {
      fail(failure);
    }
  }

  @Override
  public boolean isOver() {
    return over;
  }

  /** Restarts the deadline with {@code nanos} from now. */
  protected final void extend(long nanos) {
    if (!over) {
      deadline.restart(nanos);
    }
  }

  /** Returns the time until the exchange ends with a timeout, unless it is extended, ns. */
  public final long leftNanos() {
    return deadline.leftNanos();
  }

  /** Ends the exchange with an answer; takes the frame over. */
  protected void answer(Frame frame) {
    long rows = place == null ? 0 : place.rows(frame);
    if (!finish(rows)) {
      frame.release();
      return;
    }
    Frame answer = frame;
    try {
      long now = context().clock().nanoTime();
      recordAnswer(frame, now);
      long waited = place == null ? 0 : place.waitedNanos();
      answer =
          Answers.warned(frame, ClientRules.warnings(request().client(), statement(), waited, now));
      context().answers().answer(request(), statement(), answer, now - arrival());
    } catch (RuntimeException | Error e) {
      answer.releaseUnlessGone();
      context().answers().broke(request(), statement(), e);
    }
  }

  /** Ends the exchange with an error of the proxy's own. */
  protected void fail(Failure cause) {
    Failure failure =
        cause instanceof Failure.Unreachable unreachable
            ? new Failure.Unreachable(unreachable.message() + statement().datacenterSource())
            : cause;
    if (finish(0)) {
      long now = context().clock().nanoTime();
      try {
        recordFailure(failure, now);
      } finally {
        context().answers().fail(request(), statement(), failure, now - arrival());
        audit(failure);
      }
    }
  }

  /**
   * Ends without an answer and starts {@code next}, which owns the request from here on. Does
   * nothing after the answer.
   */
  protected final void handOverTo(Exchange next) {
    if (stop()) {
      next.startAfter(this);
    }
  }

  /**
   * Starts with the request, its records and the place under the rule of an exchange that is over.
   * The timeout of a rule counts from the arrival of the request.
   */
  private void startAfter(Exchange earlier) {
    RulePlace taken = earlier.place;
    if (taken != null) {
      taken.handTo(this);
      place = taken;
    }
    continueRecords(earlier);
    if (statement().hasTimeout()) {
      deadline.startWithin(earlier.deadline);
    } else {
      deadline.start();
    }
    start(this::beginUnderRule);
  }

  private boolean stop() {
    if (over) {
      return false;
    }
    over = true;
    onEnd();
    deadline.stop();
    leaves();
    if (parsedBytes > 0) {
      request().client().buffered(-parsedBytes);
    }
    return true;
  }

  private boolean finish(long rows) {
    boolean first = stop();
    if (first) {
      request().frame().release();
    }
    if (first && place != null) {
      place.end(rows);
    }
    return first;
  }

  /**
   * Ends without an answer, which the caller gives. Counts nothing.
   *
   * @return false when the exchange had ended before
   */
  protected final boolean endUncounted() {
    return finish(0);
  }

  /** Gives up attempts, slots and places in queues; the exchange ends without an answer. */
  protected abstract void giveUp();

  /**
   * Gives up the same when the answer is no longer needed. No node counts as slow, and slots are
   * given back although nodes may still be at work.
   */
  protected void abandon() {
    giveUp();
  }

  /** Called once when the exchange ends, before its answer. */
  protected void onEnd() {}

  /**
   * {@inheritDoc}
   *
   * <p>A request that is not idempotent may still take effect, so the client gets a timeout error.
   * Other requests get an error that no driver retries.
   */
  @Override
  final void end(String reason) {
    if (over) {
      return;
    }
    try {
      abandon();
    } finally {
      fail(
          statement().isIdempotent()
              ? new Failure.Refused(ErrorCode.INVALID, reason)
              : new Failure.Unknown(reason));
    }
  }
}
