package io.sluice.exchange;

import io.sluice.accept.Client;
import io.sluice.decide.Refusal;
import io.sluice.decide.plan.Planner;
import io.sluice.execute.dispatch.Attempt;
import io.sluice.execute.dispatch.AttemptListener;
import io.sluice.execute.dispatch.NodeAnswer;
import io.sluice.execute.reply.Failure;
import io.sluice.link.LinkKey;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import io.sluice.wire.Answers;
import io.sluice.wire.Frame;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One read at one replica after another. It waits in a replica's queue, is sent when the replica
 * has room for it, and goes on to another one when that is lost or silent. When no replica is left
 * it tries two other nodes: they know the error that Cassandra has for it. Each slot is given back
 * once, whatever is thrown. Not safe for several threads: its client's lane.
 */
public final class ReplicaRead implements AttemptListener {

  private static final int MOST_OTHERS = 2;

  /** For a read that any node of a large data centre can take. */
  private static final int MOST_TRIES = 32;

  private final ProxyContext context;
  private final Client client;
  private final LinkKey linkKey;
  private final ReplicaReadListener listener;

  /** Each node once; hardly ever more than one, for which a set would be large. */
  private final List<NodeId> tried = new ArrayList<>(1);

  private boolean shed;
  private boolean refused;
  private @Nullable QueuedRead place;
  private @Nullable QueuedRead slot;
  private @Nullable Attempt attempt;

  /** Nothing is queued yet. */
  public ReplicaRead(
      ProxyContext context, Client client, LinkKey linkKey, ReplicaReadListener listener) {
    this.context = context;
    this.client = client;
    this.linkKey = linkKey;
    this.listener = listener;
  }

  Lane lane() {
    return client.lane();
  }

  /** Queues the read for any of its replicas, also for those that were tried. */
  public void start() {
    if (!listener.isWanted()) {
      return;
    }
    List<NodeId> replicas = listener.replicas();
    List<NodeId> nodes = replicas.isEmpty() ? anyNode() : replicas;
    if (nodes.isEmpty()) {
      listener.failed(new Failure.Unreachable("No node is known that could be asked"));
    } else {
      submit(take(nodes));
    }
  }

  private QueuedRead take(List<NodeId> nodes) {
    QueuedRead next = listener.queued(nodes);
    place = next;
    return next;
  }

  private void submit(QueuedRead next) {
    next.joins();
    context.scheduler().submit(next);
  }

  /** Hands on through the lane: nodes that fail at once, one after another, do not nest. */
  private boolean handOn(List<NodeId> nodes) {
    if (nodes.isEmpty() || tried.size() >= MOST_TRIES) {
      return false;
    }
    QueuedRead next = take(nodes);
    lane()
        .execute(
            () -> {
              if (place == next && listener.isWanted()) {
                guarded(() -> submit(next));
              }
            });
    return true;
  }

  /** Goes on at a replica that was not tried; false when there is none. */
  public boolean toAnotherReplica() {
    return handOn(untried(listener.replicas()));
  }

  /**
   * Goes on after a node that refuses for its load, or does not serve yet: at one other replica and
   * no further one, so that a cluster that sheds load does not get each read many times. The
   * default policies of Cassandra's drivers add their own retries at the next node.
   *
   * @return false when the refusal is the answer
   */
  public boolean afterShedding() {
    boolean first = !shed;
    shed = true;
    return first && toAnotherReplica();
  }

  private boolean elsewhere() {
    return toAnotherReplica() || handOn(others());
  }

  private List<NodeId> others() {
    List<NodeId> replicas = listener.replicas();
    long othersTried = tried.stream().filter(node -> !replicas.contains(node)).count();
    return othersTried < MOST_OTHERS ? untried(anyNode()) : List.of();
  }

  private List<NodeId> anyNode() {
    return Planner.home(client.id(), context.view().ring());
  }

  private void tries(NodeId node) {
    if (!tried.contains(node)) {
      tried.add(node);
    }
  }

  private List<NodeId> untried(List<NodeId> nodes) {
    return nodes.stream().filter(node -> !tried.contains(node)).toList();
  }

  /** Whether this is the place that counts, and nothing came of it yet. */
  public boolean isAt(QueuedRead queued) {
    return place == queued;
  }

  /** Gives the place in a queue up. What a node has begun is let finish: it holds a slot there. */
  public void cancel() {
    QueuedRead waiting = place;
    if (waiting != null && slot == null) {
      waiting.leaves();
      context.scheduler().cancel(waiting);
      place = null;
    }
  }

  /** Ends at a deadline: the place is given up, or the node counts as too slow. */
  public void timeOut() {
    cancel();
    stop(true);
  }

  /**
   * Gives all up because its answer is not wanted any more: the slot is free although the node may
   * be at work.
   */
  public void abandon() {
    cancel();
    stop(false);
  }

  /** Whether a node was sent it and has not answered. */
  public boolean isSent() {
    return attempt != null;
  }

  /** Queues the read again when the client has caught up; the query keeps its place. */
  public void afterDrain(QueuedRead queued) {
    client.whenDrained(
        () -> {
          if (place == queued) {
            guarded(this::start);
          }
        });
  }

  void begin(QueuedRead granted) {
    if (place != granted) {
      granted.finishAbandoned();
      return;
    }
    slot = granted;
    guarded(() -> send(granted));
  }

  private void send(QueuedRead granted) {
    if (!listener.isWanted()) {
      stop(false);
      return;
    }
    if (listener.waitsForClient()) {
      slot = null;
      granted.finishAbandoned();
      afterDrain(granted);
      return;
    }
    NodeId id = granted.node();
    Node node = context.view().ring().node(id);
    if (node == null) {
      tries(id);
      ended(new NodeAnswer.LinkLost("node " + id + " has left the cluster", false));
      return;
    }
    Frame frame = listener.frame(node, granted);
    if (frame == null) {
      stop(false);
      return;
    }
    tries(id);
    Attempt next = context.dispatcher().attempt(lane(), node, linkKey, frame, this);
    attempt = next;
    granted.sent();
    next.start();
  }

  @Override
  public void ended(NodeAnswer answer) {
    attempt = null;
    if (answer instanceof NodeAnswer.Answered answered) {
      answered(answered.frame());
    } else {
      notAnswered(answer);
    }
  }

  @Override
  public void broke(Throwable cause) {
    cancel();
    stop(false);
    listener.failed(Failure.internal(cause));
  }

  private void answered(Frame frame) {
    int error = Answers.errorCode(frame);
    QueuedRead held = slot;
    if (held != null) {
      PermitOutcome.finish(held, frame, error, listener.rows());
      takeSlot();
      listener.requestEnded(held, frame);
    }
    listener.answered(frame, error);
  }

  private void notAnswered(NodeAnswer answer) {
    stop(false);
    if (!listener.isWanted()) {
      return;
    }
    if (answer instanceof NodeAnswer.Refused refusal) {
      refused(refusal);
    } else if (answer instanceof NodeAnswer.LinkLost lost && !elsewhere()) {
      listener.failed(new Failure.Unreachable("No replica could be reached: " + lost.reason()));
    }
  }

  /** A second node's refusal is believed. */
  private void refused(NodeAnswer.Refused refusal) {
    boolean first = !refused;
    refused = true;
    if (!first || !refusal.mayDifferElsewhere() || !elsewhere()) {
      listener.failed(new Failure.Refused(refusal.errorCode(), refusal.message()));
    }
  }

  @Override
  public void silent(boolean sent) {
    guarded(
        () -> {
          if (!listener.isWanted()) {
            stop(false);
          } else if (!untried(listener.replicas()).isEmpty()) {
            stop(false);
            toAnotherReplica();
          }
        });
  }

  void refused(QueuedRead queued, Refusal refusal) {
    if (place == queued) {
      place = null;
      guarded(() -> refused(refusal));
    }
  }

  private void refused(Refusal refusal) {
    if (listener.isWanted()) {
      listener.failed(
          switch (refusal.reason()) {
            case OVERLOADED -> new Failure.Overloaded(refusal.message());
            case DEADLINE -> new Failure.Unknown(refusal.message());
            case UNAVAILABLE -> new Failure.Unreachable(refusal.message());
          });
    }
  }

  /** Runs a step of the listener; what it throws fails the read. */
  public void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      cancel();
      stop(false);
      listener.failed(context.answers().fault(e));
    }
  }

  /** Gives up what is under way at a node, and the slot there. */
  private void stop(boolean overloaded) {
    Attempt underWay = attempt;
    attempt = null;
    if (underWay != null) {
      underWay.abandon();
    }
    QueuedRead held = takeSlot();
    if (held == null) {
      return;
    }
    if (overloaded) {
      held.finishOverloaded();
    } else {
      held.finishAbandoned();
    }
    listener.requestEnded(held, null);
    listener.attemptLost();
  }

  private @Nullable QueuedRead takeSlot() {
    QueuedRead held = slot;
    slot = null;
    if (held != null) {
      place = null;
    }
    return held;
  }
}
