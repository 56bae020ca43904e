package io.sluice.decide.schedule;

import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.ring.NodeId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the replica of an entry: the one with the least (backlog + own work) / rate. The work of
 * an entry is estimated when a queue takes it, so it counts as 0 until then, and only for an entry
 * that moves later. It reads what the queues publish and takes no lock. Safe for any thread.
 */
final class ReplicaChoice implements LockedNodeQueue.Elsewhere {
  /**
   * A less preferred replica must need less than this part of the time, because measured rates are
   * noisy.
   */
  private static final double CLEARLY = 0.9;

  /**
   * An entry whose turn has come leaves only for a replica that is better by more than this factor.
   */
  private static final double WORTH_LEAVING = 2;

  private static final List<NodeStanding> STANDINGS = List.of(NodeStanding.values());

  private volatile boolean byLoad;
  private volatile Map<NodeId, LockedNodeQueue> queues = Map.of();

  ReplicaChoice(Mode mode) {
    this.byLoad = isByLoad(mode);
  }

  /** Changes the mode. */
  void mode(Mode mode) {
    byLoad = isByLoad(mode);
  }

  private static boolean isByLoad(Mode mode) {
    return mode != Mode.PASSTHROUGH;
  }

  Map<NodeId, LockedNodeQueue> queues() {
    return queues;
  }

  /** Replaces the nodes to choose from. */
  void queues(Map<NodeId, LockedNodeQueue> all) {
    queues = Map.copyOf(all);
  }

  /** Moves queued reads to better replicas. Takes each node's lock in turn. */
  void leaveForBetter() {
    queues.values().forEach(LockedNodeQueue::leaveForBetter);
  }

  /** Returns the best replica of the best standing; null when no replica is known. */
  @Nullable LockedNodeQueue best(QueueEntry entry) {
    LockedNodeQueue best = null;
    for (int i = 0; best == null && i < STANDINGS.size(); i++) {
      best = least(entry, STANDINGS.get(i));
    }
    return best;
  }

  @Override
  public boolean hasBetter(QueueEntry entry, LockedNodeQueue queue) {
    List<NodeId> replicas = entry.replicas;
    for (int i = 0; i < replicas.size(); i++) {
      LockedNodeQueue other = queues.get(replicas.get(i));
      if (other != null && other.standing().isBetterThan(queue.standing())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isWorthLeaving(QueueEntry entry, LockedNodeQueue from, double hereNanos) {
    if (!byLoad || entry.replicas.size() == 1) {
      return false;
    }
    LockedNodeQueue best = least(entry, NodeStanding.NORMAL);
    return best != null
        && best != from
        && hereNanos > WORTH_LEAVING * best.doneAfterNanos(entry.workNanos);
  }

  private @Nullable LockedNodeQueue least(QueueEntry entry, NodeStanding standing) {
    List<NodeId> replicas = entry.replicas;
    boolean goesByLoad = byLoad;
    LockedNodeQueue best = null;
    double least = 0;
    for (int i = 0; i < replicas.size(); i++) {
      LockedNodeQueue queue = queues.get(replicas.get(i));
      if (queue == null || queue.standing() != standing) {
        continue;
      }
      double done = goesByLoad ? queue.doneAfterNanos(entry.workNanos) : 1;
      if (best == null || done < CLEARLY * least) {
        best = queue;
        least = done;
      }
    }
    return best;
  }
}
