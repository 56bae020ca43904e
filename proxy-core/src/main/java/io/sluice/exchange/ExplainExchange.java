package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.decide.plan.PlanLine;
import io.sluice.execute.dispatch.Attempt.NodeAnswer;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.NodeId;
import io.sluice.statement.Explain;
import io.sluice.statement.Statement;
import io.sluice.wire.Answers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The exchange of an EXPLAIN. The proxy checks the client's permissions at a node under the
 * client's identity: it prepares the statement there, then reads no partition of its table. An
 * error of the node becomes the answer, so that EXPLAIN shows nothing of a table to a role that may
 * not read it.
 */
final class ExplainExchange extends WholeExchange {

  private static final int FIRST_WITH_KEYSPACE = 5;

  private final List<NodeId> nodes;
  private final PreparedText text;
  private final @Nullable String permission;
  private final Supplier<List<PlanLine>> lines;
  private final boolean json;
  private int node;
  private boolean prepared;

  /**
   * Creates an exchange that {@link #start} starts.
   *
   * @param statement the explained statement, with its text
   * @param nodes nodes that can check permissions, the preferred first; not empty
   * @param lines supplies the plan after the node has agreed
   */
  ExplainExchange(
      ProxyContext context,
      ClientRequest request,
      Statement statement,
      List<NodeId> nodes,
      Supplier<List<PlanLine>> lines) {
    super(context, request, statement, context.requestTimeoutNanos());
    this.nodes = context.health().healthyFirst(nodes);
    this.text = Objects.requireNonNull(statement.prepares());
    this.permission = Explain.permission(statement.shape(), context.view().catalog());
    this.lines = lines;
    this.json = Objects.requireNonNull(statement.explain()).json();
  }

  @Override
  protected void begin() {
    send(nodes.get(node));
  }

  @Override
  Frame outgoing(NodeId to) {
    int version = request().client().version();
    if (prepared && permission != null) {
      return CqlCodec.query(version, permission);
    }
    return CqlCodec.prepare(
        version, text.cql(), version < FIRST_WITH_KEYSPACE ? null : text.keyspace());
  }

  @Override
  public void ended(NodeAnswer answer) {
    if (answer instanceof NodeAnswer.Answered answered) {
      onAnswer(answered.frame());
    } else if (answer instanceof NodeAnswer.Refused refused) {
      fail(new Failure.Refused(refused.errorCode(), refused.message()));
    } else {
      tryNextNode();
    }
  }

  private void tryNextNode() {
    if (++node < nodes.size()) {
      sendOnLane(nodes.get(node));
    } else {
      fail(new Failure.Unreachable("No node could be asked about the statement"));
    }
  }

  private void onAnswer(Frame frame) {
    if (Answers.errorCode(frame) >= 0) {
      answer(frame);
      return;
    }
    frame.release();
    if (permission != null && !prepared) {
      prepared = true;
      begin();
    } else if (permission == null && Explain.showsTable(statement().shape())) {
      fail(new Failure.Refused(ErrorCode.INVALID, "The table is not known to Sluice yet"));
    } else {
      int version = request().client().version();
      answer(Explain.rows(version, lines.get(), context().view().ring(), json));
    }
  }

  @Override
  void onSilence(boolean wasSent) {
    if (node + 1 < nodes.size()) {
      abandonAttempt();
      tryNextNode();
    }
  }
}
