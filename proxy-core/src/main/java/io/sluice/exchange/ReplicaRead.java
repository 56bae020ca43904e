package io.sluice.exchange;

import io.sluice.accept.Client;
import io.sluice.decide.Refusal;
import io.sluice.decide.plan.Planner;
import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.execute.dispatch.Attempt;
import io.sluice.execute.dispatch.Attempt.AttemptListener;
import io.sluice.execute.dispatch.Attempt.NodeAnswer;
import io.sluice.execute.reply.Failure;
import io.sluice.link.LinkKey;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.time.Lane;
import io.sluice.wire.Answers;
import io.sluice.wire.Frame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One read at one replica after another. The read waits in the queue of a replica, is sent when the
 * replica has a free slot, and fails over when the replica is lost or silent. Without a replica
 * left, the read tries two other nodes, which answer with Cassandra's own error. Each slot is given
 * back exactly once, also after an exception. Not safe for several threads: its client's lane.
 */
public final class ReplicaRead implements AttemptListener {

  /** The owner of a read. Called on its client's lane. */
  public interface Listener {

    /** Returns the nodes that may be asked when no replica can, as its local ones. */
    Ring ring();

    /** Returns the replicas of the read, the preferred first. */
    List<NodeId> replicas();

    /** Creates a place in the queue of one of these nodes. */
    QueuedRead queued(List<NodeId> nodes);

    /**
     * Whether the answer is still needed. If not, the listener has ended or ends during this call,
     * and the read ends without a further call.
     */
    boolean isWanted();

    /** Whether the client has so much unread data that an answer would only wait. */
    boolean waitsForClient();

    /**
     * Returns the request for a node that has a free slot. It is sent next. The slot is given back
     * if this throws.
     *
     * @return null to send nothing now; the slot is given back, and the read waits for {@link
     *     #start}
     */
    @Nullable Frame frame(Node node, QueuedRead granted);

    /** Returns the kind of rows that the read returns; null for a read of partitions. */
    @Nullable Kind rows();

    /**
     * Called when a request that was sent has ended, and its permit too.
     *
     * @param answer the node's answer, which stays its owner's; null when the request was given up
     */
    default void requestEnded(QueuedRead granted, @Nullable Frame answer) {}

    /** Called when the request from {@link #frame} has failed or was given up. */
    void attemptLost();

    /**
     * Called when a node has answered.
     *
     * @param answer the answer, owned by the listener unless this method throws
     * @param error its error code; below 0 when it is no error
     */
    void answered(Frame answer, int error);

    /** Called when no node can answer. */
    void failed(Failure failure);
  }

  private final ProxyContext context;
  private final Client client;
  private final LinkKey linkKey;
  private final Listener listener;
  private final TriedNodes tried;
  private boolean shed;
  private boolean refused;
  private @Nullable QueuedRead place;
  private @Nullable QueuedRead slot;
  private @Nullable Attempt attempt;

  /** Creates a read that {@link #start} queues. */
  public ReplicaRead(ProxyContext context, Client client, LinkKey linkKey, Listener listener) {
    this(context, client, linkKey, listener, new TriedNodes());
  }

  private ReplicaRead(
      ProxyContext context, Client client, LinkKey linkKey, Listener listener, TriedNodes tried) {
    this.context = context;
    this.client = client;
    this.linkKey = linkKey;
    this.listener = listener;
    this.tried = tried;
  }

  /** Creates a second request, which shares the tried nodes with this one. */
  ReplicaRead beside(Listener other) {
    return new ReplicaRead(context, client, linkKey, other, tried);
  }

  Lane lane() {
    return client.lane();
  }

  /** Queues the read at one of its replicas, which may have been tried before. */
  public void start() {
    if (!listener.isWanted()) {
      return;
    }
    List<NodeId> replicas = listener.replicas();
    List<NodeId> nodes = replicas.isEmpty() ? anyNode() : replicas;
    if (nodes.isEmpty()) {
      listener.failed(new Failure.Unreachable("No node is known that could be asked"));
    } else {
      submit(takePlace(nodes));
    }
  }

  private QueuedRead takePlace(List<NodeId> nodes) {
    QueuedRead next = listener.queued(nodes);
    place = next;
    return next;
  }

  private void submit(QueuedRead next) {
    next.joins();
    context.scheduler().submit(next);
  }

  /** Queues the read by a task on the lane, so that failures at once do not deepen the stack. */
  private boolean queueOnLane(List<NodeId> nodes) {
    if (nodes.isEmpty() || tried.isFull()) {
      return false;
    }
    QueuedRead next = takePlace(nodes);
    lane()
        .execute(
            () -> {
              if (place == next && listener.isWanted()) {
                guarded(() -> submit(next));
              }
            });
    return true;
  }

  /** Returns the replicas that were not tried. */
  List<NodeId> otherReplicas() {
    return tried.without(listener.replicas());
  }

  /** Fails over to a replica that was not tried; false when there is none. */
  public boolean toAnotherReplica() {
    return queueOnLane(otherReplicas());
  }

  /**
   * Fails over after a node has shed the read (OVERLOADED) or does not serve yet
   * (IS_BOOTSTRAPPING). The read goes to one other replica at most, so that an overloaded cluster
   * does not get it many times. Cassandra's drivers retry by default.
   *
   * @return false when the client gets the refusal
   */
  public boolean afterShedding() {
    boolean first = !shed;
    shed = true;
    return first && toAnotherReplica();
  }

  private boolean failOver() {
    return toAnotherReplica() || queueOnLane(others());
  }

  private List<NodeId> others() {
    return tried.mayTryOthers(listener.replicas()) ? tried.without(anyNode()) : List.of();
  }

  private List<NodeId> anyNode() {
    return Planner.home(client.id(), listener.ring());
  }

  /** Marks a node as tried. The owner calls this for a node that got the read in another way. */
  public void markTried(NodeId node) {
    tried.add(node);
  }

  /** Whether {@code queued} is the current place of the read. */
  public boolean isCurrentPlace(QueuedRead queued) {
    return place == queued;
  }

  /** Leaves the queue. A request that a node has begun keeps its slot and runs to its end. */
  public void cancel() {
    QueuedRead waiting = place;
    if (waiting != null && slot == null) {
      waiting.leaves();
      context.scheduler().cancel(waiting);
      place = null;
    }
  }

  /** Ends the read at a deadline: it leaves the queue, or the node counts as overloaded. */
  public void timeOut() {
    cancel();
    stop(true);
  }

  /**
   * Cancels the read because the answer is no longer needed. Frees the slot although the node may
   * still be at work.
   */
  public void abandon() {
    cancel();
    stop(false);
  }

  /**
   * Cancels the read after another answer was given, unless a node is at work on it. Such a request
   * runs on for at most {@code nanos}: its slot stays taken, and its duration shows how slow the
   * node is.
   */
  void letFinish(long nanos) {
    Attempt underWay = attempt;
    if (underWay != null && underWay.isSent()) {
      lane().deadline(nanos, this::timeOut);
    } else {
      abandon();
    }
  }

  /** Whether a request is in flight. */
  public boolean isSent() {
    return attempt != null;
  }

  /** Queues the read again once the client has caught up. The query keeps its place. */
  public void afterDrain(QueuedRead queued) {
    long since = context.clock().nanoTime();
    client.whenDrained(
        () -> {
          if (place == queued) {
            long waited = context.clock().nanoTime() - since;
            context.meters().reads().waitedForClient(queued, waited);
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
      context.meters().reads().turnGivenUp(granted, context.clock().nanoTime());
      afterDrain(granted);
      return;
    }
    NodeId id = granted.node();
    Node node = context.view().ring().node(id);
    if (node == null) {
      markTried(id);
      ended(new NodeAnswer.LinkLost("node " + id + " has left the cluster", false));
      return;
    }
    Frame frame = listener.frame(node, granted);
    if (frame == null) {
      stop(false);
      return;
    }
    markTried(id);
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
      count(held);
      context.meters().worked(client.identity().role(), held.actualMicros());
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
    } else if (answer instanceof NodeAnswer.LinkLost lost && !failOver()) {
      listener.failed(new Failure.Unreachable("No replica could be reached: " + lost.reason()));
    }
  }

  /** Tries one other node when the refusal may differ there. A second refusal is the answer. */
  private void refused(NodeAnswer.Refused refusal) {
    boolean first = !refused;
    refused = true;
    if (!first || !refusal.mayDifferElsewhere() || !failOver()) {
      listener.failed(new Failure.Refused(refusal.errorCode(), refusal.message()));
    }
  }

  @Override
  public void silent(boolean sent) {
    guarded(
        () -> {
          if (!listener.isWanted()) {
            stop(false);
          } else if (!otherReplicas().isEmpty()) {
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

  /** Runs a step of the listener. An exception fails the read. */
  public void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      cancel();
      stop(false);
      listener.failed(context.answers().fault(e));
    }
  }

  /** Abandons the request in flight and gives its slot back. */
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
    count(held);
    listener.requestEnded(held, null);
    listener.attemptLost();
  }

  private void count(QueuedRead ended) {
    context.meters().reads().ended(ended, context.clock().nanoTime());
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
