package io.sluice.exchange;

import io.sluice.decide.plan.Planner;
import io.sluice.execute.dispatch.Attempt.NodeAnswer;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.NodeId;
import java.util.List;

/**
 * The choice of the nodes that a read tries: its replicas, each once, then two other nodes. After a
 * node has shed the read or refused its link, one other node is tried at most. Not safe for several
 * threads: its client's lane.
 */
final class Failover {

  private final long client;
  private final ReplicaRead.Listener listener;
  private final TriedNodes tried;
  private boolean shed;
  private boolean refused;

  /**
   * Creates the choice for a read.
   *
   * @param client the number of the client, which prefers one node among all
   * @param listener knows the replicas of the read
   */
  Failover(long client, ReplicaRead.Listener listener) {
    this(client, listener, new TriedNodes());
  }

  private Failover(long client, ReplicaRead.Listener listener, TriedNodes tried) {
    this.client = client;
    this.listener = listener;
    this.tried = tried;
  }

  /** Creates the choice for a second request, which shares the tried nodes with this one. */
  Failover beside(ReplicaRead.Listener other) {
    return new Failover(client, other, tried);
  }

  void markTried(NodeId node) {
    tried.add(node);
  }

  /** Returns the replicas, which may have been tried before; without replicas, any node. */
  List<NodeId> all() {
    List<NodeId> replicas = listener.replicas();
    return replicas.isEmpty() ? anyNode() : replicas;
  }

  /** Returns the replicas that were not tried. */
  List<NodeId> otherReplicas() {
    return untried(listener.replicas());
  }

  /**
   * Returns the nodes to try after a node has shed the read: at the first time the other replicas,
   * then none. An overloaded cluster must not get the read many times, because Cassandra's drivers
   * retry by default.
   */
  List<NodeId> afterShedding() {
    boolean first = !shed;
    shed = true;
    return first ? otherReplicas() : List.of();
  }

  /** Returns the nodes to try after a node has not answered; empty when the read fails. */
  List<NodeId> after(NodeAnswer notAnswered) {
    if (notAnswered instanceof NodeAnswer.Refused refusal) {
      boolean first = !refused;
      refused = true;
      return first && refusal.mayDifferElsewhere() ? others() : List.of();
    }
    return others();
  }

  /** Returns the failure of a read after the last node has not answered. */
  static Failure failure(NodeAnswer notAnswered) {
    if (notAnswered instanceof NodeAnswer.Refused refusal) {
      return new Failure.Refused(refusal.errorCode(), refusal.message());
    }
    String reason = notAnswered instanceof NodeAnswer.LinkLost lost ? lost.reason() : "";
    return new Failure.Unreachable("No replica could be reached: " + reason);
  }

  private List<NodeId> others() {
    List<NodeId> replicas = otherReplicas();
    if (!replicas.isEmpty() || !tried.mayTryOthers(listener.replicas())) {
      return replicas;
    }
    return untried(anyNode());
  }

  private List<NodeId> untried(List<NodeId> nodes) {
    return tried.isFull() ? List.of() : tried.without(nodes);
  }

  private List<NodeId> anyNode() {
    return Planner.homeFirst(client, listener.ring());
  }
}
