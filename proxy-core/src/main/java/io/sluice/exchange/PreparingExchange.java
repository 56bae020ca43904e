package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.execute.dispatch.Attempt.NodeAnswer;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.NodeId;
import io.sluice.statement.Statement;
import io.sluice.wire.Answers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import java.util.List;

/**
 * The exchange of a statement that the proxy first prepares at a node, under the client's identity.
 * An error of the node becomes the answer.
 */
abstract class PreparingExchange extends WholeExchange {

  private final List<NodeId> nodes;
  private final PreparedText text;
  private int node;

  /**
   * Creates an exchange that {@link #start} starts.
   *
   * @param text the statement to prepare
   * @param nodes nodes that can prepare it, the preferred first; not empty
   */
  PreparingExchange(
      ProxyContext context,
      ClientRequest request,
      Statement statement,
      PreparedText text,
      List<NodeId> nodes) {
    super(context, request, statement, context.requestTimeoutNanos());
    this.nodes = context.health().healthyFirst(nodes);
    this.text = text;
  }

  /** Called when the node has answered without an error. */
  abstract void agreed();

  @Override
  protected final void begin() {
    send(nodes.get(node));
  }

  @Override
  Frame outgoing(NodeId to) {
    return CqlCodec.prepare(request().client().version(), text.cql(), text.keyspace());
  }

  @Override
  public final void ended(NodeAnswer answer) {
    if (answer instanceof NodeAnswer.Answered answered) {
      onAnswer(answered.frame());
    } else if (answer instanceof NodeAnswer.Refused refused) {
      fail(new Failure.Refused(refused.errorCode(), refused.message()));
    } else {
      tryNextNode();
    }
  }

  private void onAnswer(Frame frame) {
    if (Answers.errorCode(frame) >= 0) {
      answer(frame);
      return;
    }
    frame.release();
    agreed();
  }

  private void tryNextNode() {
    if (++node < nodes.size()) {
      sendOnLane(nodes.get(node));
    } else {
      fail(new Failure.Unreachable("No node could be asked about the statement"));
    }
  }

  @Override
  final void onSilence(boolean wasSent) {
    if (node + 1 < nodes.size()) {
      abandonAttempt();
      tryNextNode();
    }
  }
}
