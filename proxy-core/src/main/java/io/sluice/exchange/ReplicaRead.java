package io.sluice.exchange;

import io.sluice.accept.Client;
import io.sluice.decide.Refusal;
import io.sluice.decide.plan.Planner;
import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.execute.dispatch.Attempt;
import io.sluice.execute.dispatch.AttemptListener;
import io.sluice.execute.dispatch.NodeAnswer;
import io.sluice.execute.reply.Failure;
import io.sluice.link.LinkKey;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.EqualDelays;
import io.sluice.time.Lane;
import io.sluice.wire.Answers;
import io.sluice.wire.Frame;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One read at one replica after another. It waits in a replica's queue, is sent when the replica
 * has room for it, and goes on to another one when that is lost or silent. It can be told when it
 * is late. When no replica is left it tries two other nodes: they know the error that Cassandra has
 * for it. Each slot is given back once, whatever is thrown. Not safe for several threads: its
 * client's lane.
 */
public final class ReplicaRead extends EqualDelays.Entry implements AttemptListener {

  /** The owner of such a read. Called on its client's lane. */
  public interface Listener {

    /** The nodes that own what is read, the preferred first. */
    List<NodeId> replicas();

    /** A new place in the queue of one of these nodes. */
    QueuedRead queued(List<NodeId> nodes);

    /** Whether the answer is still of use. When it is not, the read ends without a further call. */
    boolean isWanted();

    /** Whether the client has so much unread that an answer would only wait for it. */
    boolean waitsForClient();

    /**
     * The request for a node that has room for it, sent next. The slot is given back if this
     * throws.
     *
     * @return null when nothing is to be sent now; the slot is given back, and the read waits for
     *     {@link #start}
     */
    @Nullable Frame frame(Node node, QueuedRead granted);

    /** The rows that the read returns; null for a read of partitions. */
    @Nullable Kind rows();

    /**
     * A request that was sent has ended, and its permit too.
     *
     * @param answer the node's, which stays its owner's; null when it was given up
     */
    default void requestEnded(QueuedRead granted, @Nullable Frame answer) {}

    /** What {@link #frame} began has come to nothing: the node failed, or it was given up. */
    void attemptLost();

    /**
     * A node has answered.
     *
     * @param answer the listener's, unless this method throws
     * @param error its error code; below 0 when it is none
     */
    void answered(Frame answer, int error);

    /** The read has been under way for the delay that was set; it goes on. */
    default void late() {}

    /** No node can answer. */
    void failed(Failure failure);
  }

  private static final int MOST_OTHERS = 2;

  /** For a read that any node of a large data centre can take. */
  private static final int MOST_TRIES = 32;

  private final ProxyContext context;
  private final Client client;
  private final LinkKey linkKey;
  private final Listener listener;

  /** Each node once; hardly ever more than one, for which a set would be large. */
  private final List<NodeId> tried;

  private boolean shed;
  private boolean refused;
  private @Nullable QueuedRead place;
  private @Nullable QueuedRead slot;
  private @Nullable Attempt attempt;

  /** Nothing is queued yet. */
  public ReplicaRead(ProxyContext context, Client client, LinkKey linkKey, Listener listener) {
    this(context, client, linkKey, listener, new ArrayList<>(1));
  }

  private ReplicaRead(
      ProxyContext context, Client client, LinkKey linkKey, Listener listener, List<NodeId> tried) {
    this.context = context;
    this.client = client;
    this.linkKey = linkKey;
    this.listener = listener;
    this.tried = tried;
  }

  /** The same read once more, beside this one: neither goes on to a node that the other tried. */
  ReplicaRead beside(Listener other) {
    return new ReplicaRead(context, client, linkKey, other, tried);
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

  /** The replicas that were not tried. */
  List<NodeId> otherReplicas() {
    return untried(listener.replicas());
  }

  /** Goes on at a replica that was not tried; false when there is none. */
  public boolean toAnotherReplica() {
    return handOn(otherReplicas());
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

  /** A node was asked in another way: others are preferred to it. */
  public void wasAsked(NodeId node) {
    tries(node);
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

  /**
   * Gives up because another answer was given. What a node was sent is let finish, for at most so
   * long: the node is at work on it, so its slot stays taken, and the time that it takes tells how
   * slow the node is.
   */
  void letFinish(long nanos) {
    Attempt underWay = attempt;
    if (underWay != null && underWay.isSent()) {
      lane().deadline(nanos, this::timeOut);
    } else {
      abandon();
    }
  }

  /** Whether a node was sent it and has not answered. */
  public boolean isSent() {
    return attempt != null;
  }

  /** Queues the read again when the client has caught up; the query keeps its place. */
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
  protected void due() {
    guarded(listener::late);
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
      context.meters().roles().worked(client.identity().role(), held.actualMicros());
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
