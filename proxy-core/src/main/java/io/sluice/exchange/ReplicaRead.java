package io.sluice.exchange;

import io.sluice.accept.Client;
import io.sluice.decide.plan.ResultRows.Kind;
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
public final class ReplicaRead {

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
  private final Failover failover;
  private final ClientPause pause;
  private @Nullable QueuedRead place;

  /** Creates a read that {@link #start} queues. */
  public ReplicaRead(ProxyContext context, Client client, LinkKey linkKey, Listener listener) {
    this(context, client, linkKey, listener, new Failover(client.id(), listener));
  }

  private ReplicaRead(
      ProxyContext context, Client client, LinkKey linkKey, Listener listener, Failover failover) {
    this.context = context;
    this.client = client;
    this.linkKey = linkKey;
    this.listener = listener;
    this.failover = failover;
    this.pause = new ClientPause(client);
  }

  /** Creates a second request, which shares the tried nodes with this one. */
  ReplicaRead beside(Listener other) {
    return new ReplicaRead(context, client, linkKey, other, failover.beside(other));
  }

  Lane lane() {
    return client.lane();
  }

  /** Queues the read at one of its replicas, which may have been tried before. */
  public void start() {
    if (!listener.isWanted()) {
      return;
    }
    List<NodeId> nodes = failover.all();
    if (nodes.isEmpty()) {
      listener.failed(new Failure.Unreachable("No node is known that could be asked"));
    } else {
      QueuedRead next = listener.queued(nodes);
      place = next;
      next.enter(context.scheduler());
    }
  }

  /** Queues the read by a task on the lane, so that failures at once do not deepen the stack. */
  private boolean queueOnLane(List<NodeId> nodes) {
    if (nodes.isEmpty()) {
      return false;
    }
    QueuedRead next = listener.queued(nodes);
    place = next;
    lane()
        .execute(
            () -> {
              if (place == next && listener.isWanted()) {
                guarded(() -> next.enter(context.scheduler()));
              }
            });
    return true;
  }

  /** Returns the replicas that were not tried. */
  List<NodeId> otherReplicas() {
    return failover.otherReplicas();
  }

  /** Fails over to a replica that was not tried; false when there is none. */
  public boolean toAnotherReplica() {
    return queueOnLane(failover.otherReplicas());
  }

  /**
   * Fails over after a node has shed the read (OVERLOADED) or does not serve yet
   * (IS_BOOTSTRAPPING), at the first time only.
   *
   * @return false when the client gets the refusal
   */
  public boolean afterShedding() {
    return queueOnLane(failover.afterShedding());
  }

  /** Marks a node as tried. The owner calls this for a node that got the read in another way. */
  public void markTried(NodeId node) {
    failover.markTried(node);
  }

  /** Whether {@code queued} is the current place of the read. */
  public boolean isCurrentPlace(QueuedRead queued) {
    return place == queued;
  }

  /** Leaves the queue. A request that a node has begun keeps its slot and runs to its end. */
  public void cancel() {
    pause.end();
    QueuedRead waiting = place;
    if (waiting != null && !waiting.isHeld()) {
      waiting.leave(context.scheduler());
      place = null;
    }
  }

  /**
   * Ends the read when the node has had the time that it may be at work. The read leaves the queue,
   * or the node counts as overloaded. A node that cannot have seen the request does not.
   */
  public void timeOut() {
    boolean begun = place != null && place.isBegun();
    cancel();
    stop(begun);
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
   * Ends the read at its deadline, or after another answer was given: it leaves the queue. A
   * request that a node has begun keeps its slot until the node has had {@code atNode} ns, because
   * the node is at work on it, and its duration shows how slow the node is. Only then the node
   * counts as overloaded: a shorter deadline, or a long wait for the slot, says nothing about it.
   */
  void letFinish(long atNode) {
    QueuedRead begun = place;
    if (begun == null || !begun.isBegun()) {
      abandon();
      return;
    }
    long now = context.clock().nanoTime();
    long left = begun.sentNanos(now) + atNode - now;
    if (left > 0) {
      lane().schedule(left, this::timeOut);
    } else {
      timeOut();
    }
  }

  /** Whether a request is in flight. */
  public boolean isSent() {
    return place != null && place.isSent();
  }

  /** Queues the read again once the client has caught up. The query keeps its place. */
  public void afterDrain(QueuedRead queued) {
    long since = context.clock().nanoTime();
    queued.pauses();
    pause.begin(
        () -> {
          if (place == queued && queued.endsPause()) {
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
    granted.hold();
    guarded(() -> send(granted));
  }

  private void send(QueuedRead granted) {
    if (!listener.isWanted()) {
      stop(false);
      return;
    }
    if (listener.waitsForClient()) {
      granted.giveTurnBack();
      context.meters().reads().turnGivenUp(granted, context.clock().nanoTime());
      afterDrain(granted);
      return;
    }
    NodeId id = granted.node();
    Node node = context.view().ring().node(id);
    if (node == null) {
      failover.markTried(id);
      notAnswered(new NodeAnswer.LinkLost("node " + id + " has left the cluster", false));
      return;
    }
    Frame frame = listener.frame(node, granted);
    if (frame == null) {
      stop(false);
      return;
    }
    failover.markTried(id);
    granted.send(context.dispatcher().attempt(lane(), node, linkKey, frame, granted));
  }

  void broke(Throwable cause) {
    cancel();
    stop(false);
    listener.failed(Failure.internal(cause));
  }

  void answered(QueuedRead from, Frame frame) {
    int error = Answers.errorCode(frame);
    if (from.isHeld()) {
      from.finish(frame, error, listener.rows());
      place = null;
      context.meters().worked(client.identity().role(), from.actualMicros());
      ended(from, frame);
    }
    listener.answered(frame, error);
  }

  /** Fails over to another node after the link to one was lost or refused. */
  void notAnswered(NodeAnswer answer) {
    stop(false);
    if (listener.isWanted() && !queueOnLane(failover.after(answer))) {
      listener.failed(Failover.failure(answer));
    }
  }

  /** Fails over from a silent node if another replica is left. */
  void silent() {
    guarded(
        () -> {
          if (!listener.isWanted()) {
            stop(false);
          } else if (!failover.otherReplicas().isEmpty()) {
            stop(false);
            toAnotherReplica();
          }
        });
  }

  void refused(QueuedRead queued, Failure failure) {
    if (place == queued) {
      place = null;
      guarded(
          () -> {
            if (listener.isWanted()) {
              listener.failed(failure);
            }
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
    QueuedRead held = place;
    if (held != null && held.isHeld()) {
      place = null;
      held.giveUp(overloaded);
      ended(held, null);
      listener.attemptLost();
    }
  }

  private void ended(QueuedRead held, @Nullable Frame answer) {
    context.meters().reads().ended(held, context.clock().nanoTime());
    listener.requestEnded(held, answer);
  }
}
