package io.sluice.cluster;

import java.util.ArrayList;
import java.util.List;

/** The plan of all nodes: one address per node, or one address with consecutive ports. */
final class RingPlan {
  private final ClusterSpec spec;
  private final boolean manyAddresses;
  private final TokenSpread spread;
  private final List<NodePlan> nodes = new ArrayList<>();

  RingPlan(ClusterSpec spec, boolean manyAddresses) {
    this.spec = spec;
    this.manyAddresses = manyAddresses;
    this.spread = new TokenSpread(spec.topology().partitioner());
    for (List<String> tokens : spread.even(spec.nodes(), spec.topology().vnodes())) {
      nodes.add(place(nodes.size(), tokens, false));
    }
  }

  /** Returns all planned nodes, in the order of their numbers. */
  List<NodePlan> nodes() {
    return List.copyOf(nodes);
  }

  /** Plans a node that joins the ring of these nodes. */
  NodePlan addJoining() {
    NodePlan plan = place(nodes.size(), spread.oneMore(spec.topology().vnodes()), true);
    nodes.add(plan);
    return plan;
  }

  /** Returns the initial nodes, in the format of the seed provider. */
  String seeds() {
    return String.join(
        ",",
        nodes.stream().filter(n -> !n.joins()).map(n -> n.host() + ":" + n.storagePort()).toList());
  }

  private NodePlan place(int index, List<String> tokens, boolean joins) {
    return new NodePlan(
        index,
        manyAddresses ? "127.0.0." + (index + 1) : "127.0.0.1",
        manyAddresses ? spec.ports().cql() : spec.ports().cql() + index,
        manyAddresses ? spec.ports().storage() : spec.ports().storage() + index,
        List.copyOf(tokens),
        joins,
        spec.dir().resolve("node" + (index + 1)));
  }
}
