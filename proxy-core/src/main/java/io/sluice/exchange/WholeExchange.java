package io.sluice.exchange;

import io.sluice.accept.ClientRequest;
import io.sluice.execute.dispatch.Attempt;
import io.sluice.execute.dispatch.AttemptListener;
import io.sluice.execute.dispatch.NodeAnswer;
import io.sluice.execute.reply.Failure;
import io.sluice.link.LinkKey;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.statement.Statement;
import io.sluice.wire.Frame;
import org.jspecify.annotations.Nullable;

/** A request that goes to one node at a time, whole, over as many nodes as it takes. */
abstract class WholeExchange extends Exchange implements AttemptListener {

  private boolean sent;
  private @Nullable Attempt attempt;

  WholeExchange(ProxyContext context, ClientRequest request, Statement statement, long nanosLeft) {
    super(context, request, statement, nanosLeft);
  }

  /** Sends the request to {@code node}; {@link #ended} says how it went. */
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

  /** Sends the request on through the lane: nodes that fail at once do not nest. */
  final void handOn(NodeId node) {
    lane()
        .execute(
            () -> {
              if (!isOver()) {
                guarded(() -> send(node));
              }
            });
  }

  /**
   * What {@code node} is sent: the client's own frame. Once it left, its bytes may still be on
   * their way.
   */
  Frame outgoing(NodeId node) {
    return sent ? request().frame().copy() : request().frame().share();
  }

  /** Gives the attempt under way up; its late answer is dropped. */
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
    guarded(() -> waited(wasSent));
  }

  /** The node has gone silent; the answer may still come. */
  abstract void waited(boolean wasSent);
}
