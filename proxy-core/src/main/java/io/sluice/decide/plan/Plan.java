package io.sluice.decide.plan;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.ring.NodeId;
import java.util.List;

/** The plan for a request. */
public sealed interface Plan {

  /** The plan for people, when the request is not split. */
  default List<PlanLine> explain() {
    return Explanation.of(this);
  }

  /**
   * It goes to one node as it came, at once.
   *
   * @param nodes nodes that can take it, the preferred first
   */
  record Forward(List<NodeId> nodes) implements Plan {

    public Forward {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * It goes to one replica as it came, when the replica's queue lets it.
   *
   * @param replicas nodes that can answer it, the preferred first
   * @param priorityClass what it waits as
   * @param rows rows it will probably read
   * @param limit rows it asks for at most, {@code Integer.MAX_VALUE} if it does not say
   */
  record Queue(List<NodeId> replicas, PriorityClass priorityClass, double rows, int limit)
      implements Plan {

    public Queue {
      replicas = List.copyOf(replicas);
    }

    /** The same, of which no more than {@code most} rows can be read. */
    public Queue atMost(double most) {
      return most < rows ? new Queue(replicas, priorityClass, most, limit) : this;
    }
  }

  /**
   * It asks about the cluster's own members, and is answered for the proxies.
   *
   * @param nodes nodes that can say what is true of the cluster, the preferred first
   */
  record Members(List<NodeId> nodes) implements Plan {

    public Members {
      nodes = List.copyOf(nodes);
    }
  }

  /** It is about the proxy's own tables: no node is asked. */
  record Proxy() implements Plan {}

  /** It is answered with an error. */
  record Refuse(Refusal refusal) implements Plan {}
}
