package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.rule.Rule.Limit;
import io.sluice.decide.rule.RuleQuota;
import io.sluice.decide.rule.RuleSession;
import io.sluice.decide.rule.Ruling;
import io.sluice.exchange.RunningRequests.RequestFacts;
import io.sluice.execute.reply.Failure;
import io.sluice.execute.reply.Replier;
import io.sluice.ring.NodeId;
import io.sluice.statement.Statement;
import io.sluice.time.Lane;
import io.sluice.time.Timer;
import io.sluice.trace.Tracer;
import io.sluice.usage.LaneUsage;
import io.sluice.wire.Answers;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One client request in flight, from its plan to its one answer. An exception on the way becomes an
 * error response. Everything runs on the client's lane.
 */
public abstract class Exchange implements RulePlace.Holder {

  /** The shortest wait of which a client is warned; longer than a response usually takes. */
  private static final long WARNED_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final ProxyContext context;
  private final ClientRequest request;
  private final Statement statement;
  private final long arrival;

  /** The time that the deadline allows, from the last call of {@link #extend}. */
  private long nanosLeft;

  private Timer.@Nullable Timeout deadline;
  private boolean over;
  private @Nullable RequestTrace traced;
  private boolean handedOver;

  /** The neighbours in the list of this lane's requests. */
  @Nullable Exchange older;

  @Nullable Exchange newer;
  private @Nullable RulePlace place;
  private long id;

  /**
   * Creates an exchange that {@link #start} starts. The frame stays the caller's until then.
   *
   * @param nanosLeft time until the proxy answers with an error
   */
  protected Exchange(
      ProxyContext context, ClientRequest request, Statement statement, long nanosLeft) {
    this.context = context;
    this.request = request;
    this.statement = statement;
    this.arrival = context.clock().nanoTime();
    this.nanosLeft = statement.timeoutNanos(nanosLeft);
  }

  /** Returns the record of the requests to nodes; null when they are not recorded. */
  public final @Nullable ReadTrace trace() {
    if (request.replyTo() instanceof Analysis analysis) {
      return analysis.trace();
    }
    return traced == null ? null : traced.requests();
  }

  /** Whether this exchange may be traced. */
  protected boolean mayBeTraced() {
    return true;
  }

  /** Records that the request goes to a node without a wait in a queue. */
  final void forwardedTo(NodeId node) {
    if (traced != null) {
      traced.forwarded(node);
    }
  }

  /** Starts the exchange and takes the request over. Called once; never throws. */
  public final void start() {
    id = context.running().of(lane()).add(this);
    extend(nanosLeft);
    guarded(this::beginUnderRule);
  }

  /** Begins at once, or waits until the limits of the rule have room. */
  private void beginUnderRule() {
    Tracer tracer = context.tracer();
    if (tracer != null && !handedOver && mayBeTraced()) {
      traced = begin(tracer);
    }
    Ruling ruling = statement.ruling();
    RuleQuota quota = ruling == null ? null : ruling.quota();
    if (quota == null || place != null) {
      begin();
      return;
    }
    RulePlace taken = new RulePlace(quota, statement.isRangeRead(), context.clock(), this);
    place = taken;
    if (taken.take()) {
      begin();
    }
  }

  private @Nullable RequestTrace begin(Tracer tracer) {
    return RequestTrace.begin(
        tracer, context.clock(), () -> context.view().ring(), request, statement, arrival);
  }

  /** Begins after a wait for a limit of the rule. */
  @Override
  public final void letIn() {
    guarded(this::begin);
  }

  /** Fails with OVERLOADED after a wait for a limit of the rule. */
  @Override
  public final void refused(Limit limit) {
    Ruling ruling = statement.ruling();
    if (ruling != null && !over) {
      context.meters().limited(ruling.rule(), limit, statement);
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
      end(context.answers().fault(e));
    }
  }

  /** Gives up the requests in flight and answers with an error. */
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

  protected ProxyContext context() {
    return context;
  }

  protected ClientRequest request() {
    return request;
  }

  protected Statement statement() {
    return statement;
  }

  @Override
  public final Lane lane() {
    return request.client().lane();
  }

  /** Returns when the request arrived, on the path's clock. */
  protected long arrival() {
    return arrival;
  }

  @Override
  public boolean isOver() {
    return over;
  }

  /** Restarts the deadline with {@code nanos} from now. */
  protected final void extend(long nanos) {
    if (!over) {
      stopDeadline();
      nanosLeft = nanos;
      deadline = lane().deadline(nanos, this::timeOut);
    }
  }

  private void stopDeadline() {
    if (deadline != null) {
      deadline.cancel();
      deadline = null;
    }
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
      long now = context.clock().nanoTime();
      usage().answered(statement, role(), frame, now - arrival, queuedNanos(now), now);
      if (traced != null) {
        traced.answered(frame, now);
      }
      answer = Answers.warned(frame, warnings());
      context.answers().answer(request, statement, answer, now - arrival);
    } catch (RuntimeException | Error e) {
      answer.releaseUnlessGone();
      context.answers().fail(request, statement, context.answers().fault(e));
    }
  }

  private boolean shouldWarnOfWait() {
    return request.client().note() instanceof RuleSession session
        && session.tellsOfWait(context.clock().nanoTime());
  }

  private List<String> warnings() {
    Ruling ruling = statement.ruling();
    long waited = place == null ? 0 : place.waitedNanos();
    if (ruling == null || waited < WARNED_WAIT_NANOS || !shouldWarnOfWait()) {
      return statement.warnings();
    }
    List<String> all = new ArrayList<>(statement.warnings());
    all.add(ruling.waited(waited));
    return all;
  }

  /** Ends the exchange with an error of the proxy's own. */
  protected void fail(Failure cause) {
    Failure failure =
        cause instanceof Failure.Unreachable unreachable
            ? new Failure.Unreachable(unreachable.message() + statement.datacenterSource())
            : cause;
    if (finish(0)) {
      long now = context.clock().nanoTime();
      try {
        usage().failed(statement, role(), failure, now - arrival, queuedNanos(now), now);
        if (traced != null) {
          traced.failed(failure, now);
        }
      } finally {
        context.answers().fail(request, statement, failure);
        audit(failure);
      }
    }
  }

  /** Logs a request that was refused. A timeout is not a refusal. */
  private void audit(Failure failure) {
    if (failure instanceof Failure.Overloaded || failure instanceof Failure.Refused) {
      int error = Replier.code(statement.kind(), failure);
      context.audit().refused(request.client(), statement.shape(), error, failure.message());
    }
  }

  private LaneUsage usage() {
    return context.usage().of(lane());
  }

  private String role() {
    return request.client().identity().role();
  }

  private long queuedNanos(long now) {
    return Math.max(0, sentNanos(now) - arrival);
  }

  /** Returns when the request, or the first of its pieces, was sent; {@code now} while it waits. */
  protected long sentNanos(long now) {
    return arrival;
  }

  /**
   * Ends without an answer and starts {@code next}, which owns the request from here on. Does
   * nothing after the answer.
   */
  protected final void handOverTo(Exchange next) {
    if (stop()) {
      RulePlace taken = place;
      if (taken != null) {
        taken.handTo(next);
        next.place = taken;
      }
      next.traced = traced;
      next.handedOver = true;
      next.start();
    }
  }

  private boolean stop() {
    if (over) {
      return false;
    }
    over = true;
    onEnd();
    stopDeadline();
    if (id != 0) {
      context.running().of(lane()).remove(this);
    }
    return true;
  }

  private boolean finish(long rows) {
    boolean first = stop();
    if (first) {
      request.frame().release();
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

  private void timeOut() {
    end(
        new Failure.Unknown(
            "Operation timed out - received only 0 responses: no node answered within "
                + TimeUnit.NANOSECONDS.toMillis(nanosLeft)
                + " ms"
                + statement.timeoutSource(nanosLeft)));
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

  /** Returns the progress of the request. */
  protected RequestFacts.Progress progress() {
    return RequestFacts.Progress.SENT;
  }

  /** Called once when the exchange ends, before its answer. */
  protected void onEnd() {}

  /** Returns the number of the request, unique in this process; 0 until it starts. */
  protected final long id() {
    return id;
  }

  /**
   * Ends the exchange for an operator. A request that is not idempotent may still take effect, so
   * the client gets a timeout error. Other requests get an error that no driver retries.
   */
  final void end(String reason) {
    if (over) {
      return;
    }
    try {
      abandon();
    } finally {
      fail(
          statement.isIdempotent()
              ? new Failure.Refused(ErrorCode.INVALID, reason)
              : new Failure.Unknown(reason));
    }
  }

  final RequestFacts describe() {
    Classified shape = statement.shape();
    long now = context.clock().nanoTime();
    boolean begun = place == null || place.isInside();
    return new RequestFacts(
        id,
        RequestFacts.Caller.of(request.client()),
        shape.keyspace(),
        shape.table(),
        shape.shape().name().toLowerCase(Locale.ROOT),
        now - arrival,
        begun ? queuedNanos(now) : now - arrival,
        begun ? progress() : RequestFacts.Progress.whole("queued"));
  }
}
