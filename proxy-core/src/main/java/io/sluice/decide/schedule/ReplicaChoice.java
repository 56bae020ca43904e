package io.sluice.decide.schedule;

import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.ring.NodeId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the replica of a demand: the one with the least (backlog + own work) / rate. Reads what
 * the gates publish and takes no lock. Safe for any thread.
 */
final class ReplicaChoice {
  /**
   * A less preferred replica must be this much better: rates are measured, and noise is not news.
   */
  private static final double CLEARLY = 0.9;

  /** A demand whose turn has come leaves only for a replica that is better by more than this. */
  private static final double WORTH_LEAVING = 2;

  private final boolean byLoad;
  private volatile Map<NodeId, LockedNodeQueue> gates = Map.of();

  ReplicaChoice(Mode mode) {
    this.byLoad = mode != Mode.PASSTHROUGH;
  }

  Map<NodeId, LockedNodeQueue> gates() {
    return gates;
  }

  /** Replaces the nodes to choose from. */
  void gates(Map<NodeId, LockedNodeQueue> all) {
    gates = Map.copyOf(all);
  }

  /** The best replica; a suspect one only when no other is there; null when none is known. */
  @Nullable LockedNodeQueue best(Demand demand) {
    LockedNodeQueue best = least(demand, false);
    return best != null ? best : least(demand, true);
  }

  /** Whether a replica that is not suspect is there besides {@code gate}. */
  boolean hasOther(Demand demand, LockedNodeQueue gate) {
    List<NodeId> replicas = demand.replicas();
    for (int i = 0; i < replicas.size(); i++) {
      LockedNodeQueue other = gates.get(replicas.get(i));
      if (other != null && other != gate && !other.isSuspect()) {
        return true;
      }
    }
    return false;
  }

  /** Whether a demand that would be done after {@code hereNanos} is much better off elsewhere. */
  boolean isWorthLeaving(Demand demand, LockedNodeQueue from, double hereNanos) {
    if (!byLoad || demand.replicas().size() == 1) {
      return false;
    }
    LockedNodeQueue best = least(demand, false);
    return best != null
        && best != from
        && hereNanos > WORTH_LEAVING * best.doneAfterNanos(demand.workNanos);
  }

  private @Nullable LockedNodeQueue least(Demand demand, boolean suspect) {
    List<NodeId> replicas = demand.replicas();
    LockedNodeQueue best = null;
    double least = 0;
    for (int i = 0; i < replicas.size(); i++) {
      LockedNodeQueue gate = gates.get(replicas.get(i));
      if (gate == null || gate.isSuspect() != suspect) {
        continue;
      }
      double done = byLoad ? gate.doneAfterNanos(demand.workNanos) : 1;
      if (best == null || done < CLEARLY * least) {
        best = gate;
        least = done;
      }
    }
    return best;
  }
}
