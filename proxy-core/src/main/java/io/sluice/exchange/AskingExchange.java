package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.execute.dispatch.Attempt.NodeAnswer;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.NodeId;
import io.sluice.statement.Statement;
import io.sluice.wire.Frame;
import java.util.List;

/**
 * The exchange of a request for which a node is asked first, one node after another. A node's
 * refusal becomes the answer.
 */
abstract class AskingExchange extends WholeExchange {

  private final List<NodeId> nodes;
  private final String subject;
  private int node;

  /**
   * Creates an exchange that {@link #start} starts.
   *
   * @param nodes nodes that can be asked, the preferred first; not empty
   * @param subject what they are asked about, for the error when none answers
   */
  AskingExchange(
      ProxyContext context,
      ClientRequest request,
      Statement statement,
      List<NodeId> nodes,
      String subject) {
    super(context, request, statement, context.requestTimeoutNanos());
    this.nodes = context.health().healthyFirst(nodes);
    this.subject = subject;
  }

  /** Called when the node has answered; takes the frame over. */
  abstract void onAnswer(Frame frame);

  /** Called before another node is asked from the beginning. */
  void onNextNode() {}

  @Override
  protected final void begin() {
    ask();
  }

  /** Sends the next request to the node. */
  final void ask() {
    send(nodes.get(node));
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

  private void tryNextNode() {
    onNextNode();
    if (++node < nodes.size()) {
      sendOnLane(nodes.get(node));
    } else {
      fail(new Failure.Unreachable("No node could be asked about the " + subject));
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
