package io.sluice.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Finds and ends clusters by their folder, started by this process or by another. Stateless. */
final class Clusters {
  private Clusters() {}

  /**
   * Returns the nodes of the cluster in that folder, running or not; none if there is no cluster.
   */
  static List<NodeProcess> in(Path dir) {
    List<NodeProcess> nodes = new ArrayList<>();
    if (ClusterState.exists(dir)) {
      ClusterState state = ClusterState.read(dir);
      for (int i = 0; i < state.nodes().size(); i++) {
        NodeProcess node = new NodeProcess(state.plan(dir, i));
        node.attach(state.nodes().get(i).pid());
        nodes.add(node);
      }
    }
    return nodes;
  }

  static boolean anyAlive(Path dir) {
    return in(dir).stream().anyMatch(NodeProcess::alive);
  }

  /** Stops the nodes of that folder, removes their files and returns the number of nodes. */
  static int end(Path dir, Consumer<String> progress) {
    List<NodeProcess> nodes = in(dir);
    if (!nodes.isEmpty()) {
      end(nodes, dir, progress);
    }
    return nodes.size();
  }

  /** Stops these nodes and removes their cluster's folder. */
  static void end(List<NodeProcess> nodes, Path dir, Consumer<String> progress) {
    try {
      keepClasses(nodes.get(0), progress);
    } finally {
      NodeProcess.killAll(nodes);
      ClusterFolder.remove(dir);
    }
  }

  /** Stops the first node cleanly if it records its classes, and keeps the recording. */
  private static void keepClasses(NodeProcess first, Consumer<String> progress) {
    if (first.alive() && ClassArchive.isRecording(first.plan().dir())) {
      progress.accept("saving Cassandra's parsed classes, for faster starts (once)");
      first.stop();
      try {
        ClassArchive.keep(first.plan().dir());
      } catch (IOException e) {
        progress.accept("Cassandra's parsed classes are not saved: " + e);
      }
    }
  }
}
