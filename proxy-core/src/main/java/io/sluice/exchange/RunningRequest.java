package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.decide.classify.Classified;
import io.sluice.exchange.RunningRequests.RequestFacts;
import io.sluice.exchange.RunningRequests.RequestFacts.Progress.State;
import io.sluice.execute.reply.Failure;
import io.sluice.execute.reply.Replier;
import io.sluice.ring.NodeId;
import io.sluice.statement.Statement;
import io.sluice.time.Lane;
import io.sluice.trace.Tracer;
import io.sluice.wire.Frame;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A client's request in flight and its records: its place among all requests in flight, its trace,
 * the cost of its statement, and its line in the audit log. It is also the node of the linked list
 * of {@link RunningRequests}. Not safe for several threads: its client's lane.
 */
abstract class RunningRequest {

  private final ProxyContext context;
  private final ClientRequest request;
  private final Statement statement;

  /** When this exchange of the request was created. */
  private final long created;

  /** When the request arrived: when its first exchange was created. */
  private long arrival;

  /** How long earlier exchanges of the request have waited in queues, ns. */
  private long queuedBefore;

  /** The neighbours in the list of this lane's requests. */
  @Nullable RunningRequest older;

  @Nullable RunningRequest newer;

  /** The number of the request, unique in this process; 0 until it starts. */
  long id;

  private @Nullable RequestTrace trace;

  RunningRequest(ProxyContext context, ClientRequest request, Statement statement) {
    this.context = context;
    this.request = request;
    this.statement = statement;
    this.created = context.clock().nanoTime();
    this.arrival = created;
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

  public final Lane lane() {
    return request.client().lane();
  }

  /** Returns when the request arrived, on the path's clock. */
  protected long arrival() {
    return arrival;
  }

  /** Adds the request to those in flight. */
  final void joins() {
    context.running().of(lane()).add(this);
  }

  /** Removes the request from those in flight. Does nothing before {@link #joins}. */
  final void leaves() {
    if (id != 0) {
      context.running().of(lane()).remove(this);
    }
  }

  /** Whether the request has begun: it no longer waits for a limit of its rule. */
  abstract boolean hasBegun();

  /** Returns when the request, or the first of its pieces, was sent; {@code now} while it waits. */
  protected long sentNanos(long now) {
    return arrival;
  }

  private long queuedNanos(long now) {
    return queuedBefore + Math.max(0, sentNanos(now) - created);
  }

  /** Returns the progress of the request. */
  protected RequestFacts.Progress progress() {
    return RequestFacts.Progress.SENT;
  }

  final RequestFacts describe() {
    Classified classified = statement.classified();
    long now = context.clock().nanoTime();
    boolean begun = hasBegun();
    return new RequestFacts(
        id,
        RequestFacts.Caller.of(request.client()),
        classified.keyspace(),
        classified.table(),
        classified.shape().name().toLowerCase(Locale.ROOT),
        now - arrival,
        begun ? queuedNanos(now) : now - arrival,
        begun ? progress() : RequestFacts.Progress.whole(State.QUEUED));
  }

  /** Gives up the requests to nodes and answers with an error. Does nothing after the answer. */
  protected abstract void end(Failure failure);

  /** Ends the request for an operator. Does nothing after the answer. */
  abstract void end(String reason);

  /** Whether this request may be traced. */
  protected boolean mayBeTraced() {
    return true;
  }

  /** Begins the trace of the request if it is traced. */
  final void beginTrace() {
    Tracer tracer = context.tracer();
    if (tracer != null && mayBeTraced()) {
      trace =
          RequestTrace.begin(
              tracer, context.clock(), () -> context.view().ring(), request, statement, arrival);
    }
  }

  /** Continues the records of an earlier exchange of the same request, which is over. */
  final void continueRecords(RunningRequest earlier) {
    trace = earlier.trace;
    arrival = earlier.arrival;
    queuedBefore = earlier.queuedNanos(context.clock().nanoTime());
  }

  /** Returns the record of the requests to nodes; null when they are not recorded. */
  public final @Nullable ReadTrace trace() {
    if (request.replyTo() instanceof Analysis analysis) {
      return analysis.trace();
    }
    return trace == null ? null : trace.requests();
  }

  /** Records that the request goes to a node without a wait in a queue. */
  final void forwardedTo(NodeId node) {
    if (trace != null) {
      trace.forwarded(node);
    }
  }

  /** Counts the answer for the statement, and ends the trace. The frame stays the caller's. */
  final void recordAnswer(Frame answer, long now) {
    context
        .usage()
        .of(lane())
        .answered(statement, role(), answer, now - arrival, queuedNanos(now), now);
    if (trace != null) {
      trace.answered(answer, now);
    }
  }

  /** Counts an error of the proxy's own for the statement, and ends the trace. */
  final void recordFailure(Failure failure, long now) {
    context
        .usage()
        .of(lane())
        .failed(statement, role(), failure, now - arrival, queuedNanos(now), now);
    if (trace != null) {
      trace.failed(failure, now);
    }
  }

  private String role() {
    return request.client().identity().role();
  }

  /** Logs a request that was refused. A timeout is not a refusal. */
  final void audit(Failure failure) {
    if (failure instanceof Failure.Overloaded || failure instanceof Failure.Refused) {
      int error = Replier.code(statement.kind(), failure);
      context.audit().refused(request.client(), statement.classified(), error, failure.message());
    }
  }
}
