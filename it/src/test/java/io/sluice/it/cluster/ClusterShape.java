package io.sluice.it.cluster;

/**
 * The shape of a cluster for a test.
 *
 * @param nodes number of nodes, at least 1
 * @param rf replication factor of the tests, at most {@code nodes}
 * @param auth whether nodes require a login and check permissions
 * @param agent whether nodes have the node agent
 */
public record ClusterShape(int nodes, int rf, boolean auth, boolean agent) {

  public ClusterShape {
    if (nodes < 1 || rf < 1 || rf > nodes) {
      throw new IllegalArgumentException("no cluster has " + nodes + " nodes and rf " + rf);
    }
  }

  /** Returns a name for folders and containers. */
  String word() {
    return (auth ? "auth" : "plain") + (agent ? "-agent" : "") + nodes;
  }
}
