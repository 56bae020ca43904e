package io.sluice.decide.plan;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.ring.NodeId;
import java.util.List;

/** The plan for a request. */
public sealed interface Plan {

  /** Returns the plan for people; only for a request that is not split. */
  default List<PlanLine> explain() {
    return Explanation.of(this);
  }

  /**
   * The request goes to one node unchanged, at once.
   *
   * @param nodes nodes that can take it, the preferred first
   */
  record Forward(List<NodeId> nodes) implements Plan {

    public Forward {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * The request goes to one replica unchanged, when it gets a permit of the replica's queue.
   *
   * @param replicas nodes that can answer it, the preferred first
   * @param priorityClass the class that it waits in
   * @param rows rows that it will probably read
   * @param limit rows that it returns at most, {@code Integer.MAX_VALUE} without a limit
   * @param fingerprint a hash of the statement and the partition, for the first page of one
   *     partition; 0 for all other reads
   */
  record Queue(
      List<NodeId> replicas, PriorityClass priorityClass, double rows, int limit, long fingerprint)
      implements Plan {

    public Queue {
      replicas = List.copyOf(replicas);
    }

    /** Returns this plan with at most {@code most} rows to read. */
    public Queue atMost(double most) {
      return most < rows ? new Queue(replicas, priorityClass, most, limit, fingerprint) : this;
    }
  }

  /**
   * The request asks about the cluster's own members. The answer shows the proxies in their place.
   *
   * @param nodes nodes that can answer for the cluster, the preferred first
   */
  record Members(List<NodeId> nodes) implements Plan {

    public Members {
      nodes = List.copyOf(nodes);
    }
  }

  /** The request asks for the proxy's own tables: no node is asked. */
  record Proxy() implements Plan {}

  /** The request is answered with an error. */
  record Refuse(Refusal refusal) implements Plan {}
}
