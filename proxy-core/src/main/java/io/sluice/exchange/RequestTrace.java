package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.StatementShape;
import io.sluice.decide.classify.StatementText;
import io.sluice.decide.plan.PlanStep;
import io.sluice.execute.reply.Failure;
import io.sluice.execute.reply.Replier;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.TableName;
import io.sluice.statement.Explain;
import io.sluice.statement.Statement;
import io.sluice.time.NanoClock;
import io.sluice.trace.Tracer;
import io.sluice.trace.Tracer.TracedRequest;
import io.sluice.trace.Tracer.TracedRequest.Step;
import io.sluice.wire.Answers;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The trace of one client request, from its begin to its end. Only requests that {@code
 * system_proxy.statements} counts are traced. Not safe for several threads: its client's lane.
 */
final class RequestTrace {

  /** The key in a request's custom payload, named like the HTTP header of W3C Trace Context. */
  static final String PAYLOAD_KEY = "traceparent";

  /** The most requests to nodes that a trace lists. */
  static final int MAX_STEPS = 100;

  private static final int MAX_TEXT = 1_000;

  private final NanoClock clock;
  private final Supplier<Ring> ring;
  private final ClientRequest request;
  private final Statement statement;
  private final long arrival;
  private final Tracer.Sink sink;
  private final ReadTrace requests;

  /** Requests that are forwarded without a wait in a queue. */
  private final List<Step> forwards = new ArrayList<>();

  /** The number of these requests, of which {@link #forwards} lists the first. */
  private int forwardCount;

  private @Nullable NodeId forwardedTo;
  private long forwardedAt;

  private RequestTrace(
      NanoClock clock,
      Supplier<Ring> ring,
      ClientRequest request,
      Statement statement,
      long arrival,
      Tracer.Sink sink) {
    this.clock = clock;
    this.ring = ring;
    this.request = request;
    this.statement = statement;
    this.arrival = arrival;
    this.sink = sink;
    this.requests =
        request.replyTo() instanceof Analysis analysis
            ? analysis.trace()
            : new ReadTrace(clock, MAX_STEPS);
  }

  /**
   * Begins the trace of a request; returns null when the request is not traced.
   *
   * @param clock the clock of the request path
   * @param ring supplies the current nodes
   * @param arrival when the request arrived
   */
  static @Nullable RequestTrace begin(
      Tracer tracer,
      NanoClock clock,
      Supplier<Ring> ring,
      ClientRequest request,
      Statement statement,
      long arrival) {
    if (statement.prepares() != null || statement.classified().shape() == StatementShape.PROXY) {
      return null;
    }
    Tracer.Sink sink = tracer.begin(CqlRequest.payload(request.frame(), PAYLOAD_KEY));
    return sink == null ? null : new RequestTrace(clock, ring, request, statement, arrival, sink);
  }

  /** Returns the record of the reads at nodes. */
  ReadTrace requests() {
    return requests;
  }

  /** Records that the request is forwarded to a node. An earlier forward counts as given up. */
  void forwarded(NodeId node) {
    long now = clock.nanoTime();
    forwardEnds(now, 0, 0, ReadTrace.GIVEN_UP);
    forwardedTo = node;
    forwardedAt = now;
  }

  private void forwardEnds(long now, int rows, int bytes, String note) {
    NodeId node = forwardedTo;
    if (node != null && ++forwardCount <= MAX_STEPS) {
      String address = Explain.address(node, ring.get());
      long sent = forwardedAt;
      forwards.add(new Step("forward", false, address, "", sent, sent, now, rows, bytes, note));
    }
    forwardedTo = null;
  }

  /** Ends the trace with an answer that comes from nodes. */
  void answered(Frame answer, long now) {
    int code = Answers.errorCode(answer);
    String error = code < 0 ? null : ErrorCode.name(code);
    int rows = rows(answer);
    int bytes = answer.length();
    forwardEnds(now, rows, bytes, error == null ? "" : error);
    sink.ended(traced(now, rows, bytes, error, code != ErrorCode.SYNTAX_ERROR));
  }

  private static int rows(Frame answer) {
    try {
      return Answers.rowCount(answer);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      // The frame is malformed; its reader reports that.
      return 0;
    }
  }

  /**
   * Ends the trace with an error of the proxy's own. The text is left out unless the proxy could
   * parse it, because no node has checked it.
   */
  void failed(Failure failure, long now) {
    forwardEnds(now, 0, 0, ReadTrace.GIVEN_UP);
    String error = ErrorCode.name(Replier.code(statement.kind(), failure));
    sink.ended(traced(now, 0, 0, error, statement.classified().markers() >= 0));
  }

  private TracedRequest traced(
      long now, int rows, int bytes, @Nullable String error, boolean readable) {
    Classified classified = statement.classified();
    String cql = statement.cql();
    List<Step> steps = new ArrayList<>(forwards);
    for (AnalyzedRequest each : requests.kept()) {
      if (steps.size() < MAX_STEPS) {
        steps.add(step(each));
      }
    }
    return new TracedRequest(
        classified.shape().name().toLowerCase(Locale.ROOT),
        TableName.shown(classified.keyspace()),
        TableName.shown(classified.table()),
        readable && cql != null ? StatementText.shown(cql, MAX_TEXT) : null,
        request.client().identity().role(),
        request.client().addressText(),
        arrival,
        now,
        rows,
        bytes,
        error,
        steps,
        forwardCount + requests.size() - steps.size());
  }

  private Step step(AnalyzedRequest of) {
    NodeId node = of.node();
    return new Step(
        of.step().text(),
        of.step() instanceof PlanStep.Piece,
        node == null ? null : Explain.address(node, ring.get()),
        of.range(),
        of.when().queued(),
        of.when().sent(),
        of.when().ended(),
        Math.max(0, of.rows()),
        Math.max(0, of.bytes()),
        of.note());
  }
}
