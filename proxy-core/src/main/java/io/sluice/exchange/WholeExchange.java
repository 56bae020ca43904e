package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.execute.dispatch.Attempt;
import io.sluice.execute.dispatch.Attempt.AttemptListener;
import io.sluice.execute.dispatch.Attempt.NodeAnswer;
import io.sluice.execute.reply.Failure;
import io.sluice.link.LinkKey;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.statement.Statement;
import io.sluice.wire.Frame;
import org.jspecify.annotations.Nullable;

/** The exchange of a request that goes as a whole to one node at a time, until one answers. */
abstract class WholeExchange extends Exchange implements AttemptListener {

  private boolean sent;
  private @Nullable Attempt attempt;

  WholeExchange(ProxyContext context, ClientRequest request, Statement statement, long nanosLeft) {
    super(context, request, statement, nanosLeft);
  }

  /** Sends the request to {@code node}. {@link #ended} reports the outcome. */
  void send(NodeId node) {
    Node target = context().view().ring().node(node);
    if (target == null) {
      ended(new NodeAnswer.LinkLost("node " + node + " has left the cluster", false));
      return;
    }
    Frame frame = outgoing(node);
    sent = true;
    forwardedTo(node);
    LinkKey key = statement().linkKey(request().client());
    Attempt next = context().dispatcher().attempt(lane(), target, key, frame, this);
    attempt = next;
    next.start();
  }

  /**
   * Sends the request to {@code node} with a task on the lane, so that nodes that fail at once do
   * not deepen the stack.
   */
  final void sendOnLane(NodeId node) {
    lane()
        .execute(
            () -> {
              if (!isOver()) {
                guarded(() -> send(node));
              }
            });
  }

  /**
   * Returns the request for {@code node}: the client's own frame, or a copy after the first send,
   * because the bytes of the first may still be in flight.
   */
  Frame outgoing(NodeId node) {
    return sent ? request().frame().copy() : request().frame().share();
  }

  /** Abandons the attempt in flight. A late answer is dropped. */
  final void abandonAttempt() {
    if (attempt != null) {
      attempt.abandon();
      attempt = null;
    }
  }

  @Override
  public final void broke(Throwable cause) {
    end(Failure.internal(cause));
  }

  @Override
  protected final void giveUp() {
    abandonAttempt();
  }

  @Override
  public final void silent(boolean wasSent) {
    guarded(() -> onSilence(wasSent));
  }

  /** Called when the node has become silent; the answer may still come. */
  abstract void onSilence(boolean wasSent);
}
