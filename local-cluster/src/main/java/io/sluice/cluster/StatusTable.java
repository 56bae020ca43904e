package io.sluice.cluster;

import java.io.PrintWriter;
import java.util.List;

/** Prints the nodes of a cluster as a table. Stateless. */
final class StatusTable {
  private StatusTable() {}

  /** Prints one line per node. Returns whether there are nodes and all of them serve. */
  static boolean print(List<NodeProcess> nodes, PrintWriter out) {
    if (nodes.isEmpty()) {
      out.println("no cluster");
      out.flush();
      return false;
    }
    boolean all = true;
    out.printf(
        "%-5s %-16s %6s %8s %8s  %-6s %s%n",
        "node", "address", "port", "storage", "pid", "state", "log");
    for (NodeProcess node : nodes) {
      String state = state(node);
      all &= state.equals("up");
      NodePlan plan = node.plan();
      out.printf(
          "%-5d %-16s %6d %8d %8s  %-6s %s%n",
          plan.index() + 1,
          plan.host(),
          plan.port(),
          plan.storagePort(),
          node.pid() < 0 ? "-" : Long.toString(node.pid()),
          state,
          plan.log());
    }
    out.flush();
    return all;
  }

  private static String state(NodeProcess node) {
    if (!node.alive()) {
      return "down";
    }
    return Readiness.listens(node.plan().address()) ? "up" : "busy";
  }
}
