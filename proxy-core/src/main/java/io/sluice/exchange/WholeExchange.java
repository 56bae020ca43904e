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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request that goes to one node at a time, whole, over as many nodes as it takes. */
abstract class WholeExchange extends Exchange implements AttemptListener {

  private final List<NodeId> tried = new ArrayList<>(2);
  private @Nullable Attempt attempt;

  WholeExchange(ProxyContext context, ClientRequest request, Statement statement, long nanosLeft) {
    super(context, request, statement, nanosLeft);
  }

  /** Whether it has been sent to {@code node} before. */
  boolean hasTried(NodeId node) {
    return tried.contains(node);
  }

  /**
   * Sends the request to {@code node}, as often as this is called; {@link #ended} says how it went.
   */
  void send(NodeId node) {
    Node target = context().view().ring().node(node);
    if (target == null) {
      tried.add(node);
      ended(new NodeAnswer.LinkLost("node " + node + " has left the cluster", false));
      return;
    }
    Frame frame = outgoing(node);
    tried.add(node);
    LinkKey key = statement().linkKey(request().client());
    Attempt next = context().dispatcher().attempt(lane(), target, key, frame, this);
    attempt = next;
    next.start();
  }

  /**
   * What {@code node} is sent: the client's own frame. Once it left, its bytes may still be on
   * their way.
   */
  Frame outgoing(NodeId node) {
    return tried.isEmpty() ? request().frame().share() : request().frame().copy();
  }

  /** Gives the attempt under way up; its late answer is nobody's. */
  void abandonAttempt() {
    if (attempt != null) {
      attempt.abandon();
      attempt = null;
    }
  }

  @Override
  public final void broke(Throwable cause) {
    timedOut();
    fail(Failure.internal(cause));
  }

  @Override
  protected final void timedOut() {
    giveUp();
    abandonAttempt();
  }

  /** Its time is over: slots and places in queues have to be given back. */
  abstract void giveUp();
}
