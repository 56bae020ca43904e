package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.execute.dispatch.PreparedTexts.PreparedText;
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
abstract class PreparingExchange extends AskingExchange {

  private final PreparedText text;

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
    super(context, request, statement, nodes, "statement");
    this.text = text;
  }

  /** Called when the node has answered without an error. */
  abstract void agreed();

  @Override
  Frame outgoing(NodeId to) {
    return CqlCodec.prepare(request().client().version(), text.cql(), text.keyspace());
  }

  @Override
  final void onAnswer(Frame frame) {
    if (Answers.errorCode(frame) >= 0) {
      answer(frame);
      return;
    }
    frame.release();
    agreed();
  }
}
