package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.decide.classify.StatementShape;
import io.sluice.execute.dispatch.Attempt.NodeAnswer;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.NodeId;
import io.sluice.statement.Statement;
import io.sluice.wire.Answers;
import java.util.List;

/**
 * The exchange of a request that goes to a node at once: a write, a schema change, or a statement
 * that the proxy does not understand.
 */
final class ForwardExchange extends WholeExchange {

  private final List<NodeId> nodes;
  private final boolean isWrite;
  private int next;
  private boolean refused;

  ForwardExchange(
      ProxyContext context, ClientRequest request, Statement statement, List<NodeId> nodes) {
    super(context, request, statement, context.requestTimeoutNanos(statement));
    List<NodeId> healthyFirst = context.health().healthyFirst(nodes);
    this.isWrite =
        statement.classified().shape() == StatementShape.WRITE && statement.prepares() == null;
    this.nodes =
        isWrite ? healthyFirst : context.schemaHomes().first(request.client(), healthyFirst);
  }

  @Override
  protected void begin() {
    send(nodes.get(next++));
  }

  private boolean hasMore() {
    return next < nodes.size();
  }

  @Override
  public void ended(NodeAnswer answer) {
    if (answer instanceof NodeAnswer.Answered answered) {
      if (!isWrite && Answers.isSchemaChange(answered.frame())) {
        context().schemaHomes().changed(request().client(), nodes.get(next - 1));
      }
      answer(answered.frame());
    } else if (answer instanceof NodeAnswer.Refused refusal) {
      refused(refusal);
    } else if (answer instanceof NodeAnswer.LinkLost lost) {
      lost(lost);
    }
  }

  /** Tries one other node when the refusal may differ there. A second refusal is the answer. */
  private void refused(NodeAnswer.Refused refusal) {
    if (refusal.mayDifferElsewhere() && !refused && hasMore()) {
      refused = true;
      sendOnLane(nodes.get(next++));
    } else {
      fail(new Failure.Refused(refusal.errorCode(), refusal.message()));
    }
  }

  private void lost(NodeAnswer.LinkLost lost) {
    boolean harmless = !lost.sent() || statement().isIdempotent();
    if (harmless && hasMore()) {
      sendOnLane(nodes.get(next++));
    } else if (lost.sent()) {
      fail(new Failure.Unknown("The node was lost before it answered: " + lost.reason()));
    } else {
      fail(new Failure.Unreachable("No node could be reached: " + lost.reason()));
    }
  }

  @Override
  void onSilence(boolean wasSent) {
    if ((!wasSent || statement().isIdempotent()) && hasMore()) {
      abandonAttempt();
      sendOnLane(nodes.get(next++));
    }
  }
}
