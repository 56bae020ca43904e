package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.rule.Limit;
import io.sluice.decide.rule.RuleQuota;
import io.sluice.decide.rule.RuleSession;
import io.sluice.decide.rule.Ruling;
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
 * One client request under way, from its plan to its one answer, which is an error when anything is
 * thrown on the way. Everything runs on the client's lane.
 */
public abstract class Exchange implements RulePlace.Holder {

  /** A client is told of waits that are longer than an answer usually takes. */
  private static final long TOLD_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final ProxyContext context;
  private final ClientRequest request;
  private final Statement statement;
  private final long arrival;
  private final long nanosLeft;
  private Timer.@Nullable Timeout deadline;
  private boolean over;
  private @Nullable RequestTrace traced;
  private boolean continued;

  /** Its neighbours among the requests of its lane, and its number there; 0 until it starts. */
  @Nullable Exchange older;

  @Nullable Exchange newer;
  private @Nullable RulePlace place;
  private long id;

  /**
   * Nothing is done yet, and the request's frame is still the caller's.
   *
   * @param nanosLeft until it is answered with an error
   */
  protected Exchange(
      ProxyContext context, ClientRequest request, Statement statement, long nanosLeft) {
    this.context = context;
    this.request = request;
    this.statement = statement;
    this.arrival = context.clock().nanoTime();
    this.nanosLeft = atMost(nanosLeft, statement.ruling());
  }

  /** The time that a request may take, of which its rule may leave less. */
  static long atMost(long nanos, @Nullable Ruling ruling) {
    return ruling == null ? nanos : Math.min(nanos, ruling.timeoutNanos());
  }

  /** Where its requests to nodes are recorded; null when they are not. */
  public final @Nullable ReadTrace trace() {
    if (request.replyTo() instanceof Analysis analysis) {
      return analysis.trace();
    }
    return traced == null ? null : traced.requests();
  }

  /** Whether a trace of it may be made. */
  protected boolean mayBeTraced() {
    return true;
  }

  /** It goes to a node without waiting for a turn there. */
  final void forwardedTo(NodeId node) {
    if (traced != null) {
      traced.forwarded(node);
    }
  }

  /** Takes the request over. Called once; never throws. */
  public final void start() {
    id = context.running().of(lane()).add(this);
    extend(nanosLeft);
    guarded(this::enter);
  }

  /** Begins when the limits of its rule let it. */
  private void enter() {
    Tracer tracer = context.tracer();
    if (tracer != null && !continued && mayBeTraced()) {
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

  /** It has waited for a limit of its rule. */
  @Override
  public final void letIn() {
    guarded(this::begin);
  }

  /** It has waited for a limit of its rule in vain. */
  @Override
  public final void refused(Limit limit) {
    Ruling ruling = statement.ruling();
    if (ruling != null && !over) {
      context.meters().limited(ruling.rule(), limit, statement);
      fail(new Failure.Overloaded(ruling.refused(limit)));
    }
  }

  /** Does what the request asks for. */
  protected abstract void begin();

  /** Runs a step; what it throws ends the exchange with an error. */
  protected final void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      end(context.answers().fault(e));
    }
  }

  /** Gives up what is under way and answers with an error. */
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

  /** When it came, on the path's clock. */
  protected long arrival() {
    return arrival;
  }

  @Override
  public boolean isOver() {
    return over;
  }

  /** Restarts the deadline: so much is left from now. */
  protected final void extend(long nanos) {
    if (!over) {
      stopDeadline();
      deadline = lane().deadline(nanos, this::timeOut);
    }
  }

  private void stopDeadline() {
    if (deadline != null) {
      deadline.cancel();
      deadline = null;
    }
  }

  /** The one answer; takes the frame over. */
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
    } catch (RuntimeException | StackOverflowError e) {
      answer.releaseUnlessGone();
      context.answers().fail(request, statement, Failure.internal(e));
    }
  }

  private boolean tellsOfWait() {
    return request.client().note() instanceof RuleSession session
        && session.tellsOfWait(context.clock().nanoTime());
  }

  private List<String> warnings() {
    Ruling ruling = statement.ruling();
    long waited = place == null ? 0 : place.waitedNanos();
    if (ruling == null || waited < TOLD_WAIT_NANOS || !tellsOfWait()) {
      return statement.warnings();
    }
    List<String> all = new ArrayList<>(statement.warnings());
    all.add(ruling.waited(waited));
    return all;
  }

  /** The one answer, an error of the proxy's own. */
  protected void fail(Failure failure) {
    if (finish(0)) {
      long now = context.clock().nanoTime();
      usage().failed(statement, role(), failure, now - arrival, queuedNanos(now), now);
      if (traced != null) {
        traced.failed(failure, now);
      }
      context.answers().fail(request, statement, failure);
      audit(failure);
    }
  }

  /** What was refused before a node did anything; a time-out is no refusal. */
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

  /** When a node was sent it or its first piece; {@code now} when it has waited until now. */
  protected long sentNanos(long now) {
    return arrival;
  }

  /**
   * Ends without an answer, for another exchange to give it, which owns the request from here on;
   * does nothing when it was answered already.
   */
  protected final void handOverTo(Exchange next) {
    if (stop()) {
      RulePlace taken = place;
      if (taken != null) {
        taken.handTo(next);
        next.place = taken;
      }
      next.traced = traced;
      next.continued = true;
      next.start();
    }
  }

  private boolean stop() {
    if (over) {
      return false;
    }
    over = true;
    isNowOver();
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
   * Ends without an answer of this class's, which its caller gives; nothing is counted.
   *
   * @return false when it was over
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
                + ofRule()));
  }

  private String ofRule() {
    Ruling ruling = statement.ruling();
    return ruling == null || nanosLeft < ruling.timeoutNanos()
        ? ""
        : " (timeout of rule " + ruling.rule() + ")";
  }

  /** Gives up attempts, slots and places in queues: the exchange ends without an answer. */
  protected abstract void giveUp();

  /**
   * Gives up the same because the answer is not wanted any more: no node is to blame, and slots are
   * given back although nodes may still be at work.
   */
  protected void abandon() {
    giveUp();
  }

  /** How far it is. */
  protected RequestFacts.Progress progress() {
    return RequestFacts.Progress.SENT;
  }

  /** Called once, at its end, before its answer. */
  protected void isNowOver() {}

  /** Its number among all requests under way. */
  protected final long id() {
    return id;
  }

  /**
   * Ends it at an operator's wish. What may have been changed may still come to pass, which the
   * client is told by the kind of its error; other errors are of a kind that no driver tries again.
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
