package io.sluice.exchange;

import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.execute.reply.Failure;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.wire.Frame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The owner of a {@link ReplicaRead}. Called on its client's lane. */
public interface ReplicaReadListener {

  /** The nodes that own what is read, the preferred first. */
  List<NodeId> replicas();

  /** A new place in the queue of one of these nodes. */
  QueuedRead queued(List<NodeId> nodes);

  /** Whether the answer is still of use. When it is not, the read ends without a further call. */
  boolean isWanted();

  /** Whether the client has so much unread that an answer would only wait for it. */
  boolean waitsForClient();

  /**
   * The request for a node that has room for it, sent next. The slot is given back if this throws.
   *
   * @return null when nothing is to be sent now; the slot is given back, and the read waits for
   *     {@link ReplicaRead#start}
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

  /** No node can answer. */
  void failed(Failure failure);
}
