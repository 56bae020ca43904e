package io.sluice.it.cluster;

/**
 * The shape of a cluster that a test asks for.
 *
 * @param nodes how many, at least 1
 * @param rf the replication factor that tests use, at most {@code nodes}
 * @param auth whether nodes ask for a password and check permissions
 * @param agent whether nodes have the node agent in them
 */
public record ClusterShape(int nodes, int rf, boolean auth, boolean agent) {

  public ClusterShape {
    if (nodes < 1 || rf < 1 || rf > nodes) {
      throw new IllegalArgumentException("no cluster has " + nodes + " nodes and rf " + rf);
    }
  }

  /** A word for folders and containers. */
  String word() {
    return (auth ? "auth" : "plain") + (agent ? "-agent" : "") + nodes;
  }
}
