package io.sluice.cluster;

import java.util.ArrayList;
import java.util.List;

/** The places of all nodes: an address each, or one address and ports in a row. */
final class RingPlan {
  private final ClusterSpec spec;
  private final boolean manyAddresses;
  private final TokenSpread spread;
  private final List<NodePlan> nodes = new ArrayList<>();

  RingPlan(ClusterSpec spec, boolean manyAddresses) {
    this.spec = spec;
    this.manyAddresses = manyAddresses;
    this.spread = new TokenSpread(spec.partitioner());
    for (List<String> tokens : spread.even(spec.nodes(), spec.vnodes())) {
      nodes.add(place(nodes.size(), tokens, false));
    }
  }

  /** All planned nodes, first to last. */
  List<NodePlan> nodes() {
    return List.copyOf(nodes);
  }

  /** Plans one node that joins the ring these nodes form. */
  NodePlan addJoining() {
    NodePlan plan = place(nodes.size(), spread.oneMore(spec.vnodes()), true);
    nodes.add(plan);
    return plan;
  }

  /** The nodes that were there from the start, as the seed provider takes them. */
  String seeds() {
    return String.join(
        ",",
        nodes.stream().filter(n -> !n.joins()).map(n -> n.host() + ":" + n.storagePort()).toList());
  }

  private NodePlan place(int index, List<String> tokens, boolean joins) {
    return new NodePlan(
        index,
        manyAddresses ? "127.0.0." + (index + 1) : "127.0.0.1",
        manyAddresses ? spec.port() : spec.port() + index,
        manyAddresses ? spec.storagePort() : spec.storagePort() + index,
        List.copyOf(tokens),
        joins,
        spec.dir().resolve("node" + (index + 1)));
  }
}
