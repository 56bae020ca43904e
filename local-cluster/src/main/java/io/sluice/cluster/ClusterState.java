package io.sluice.cluster;

import io.sluice.command.FileFailure;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * The persistent state of a cluster for later commands: a properties file in its folder.
 *
 * @param settings the specification as text, to detect other settings
 * @param kept whether the cluster outlives the command that created it; then only {@code cluster
 *     stop} and {@code cluster start --fresh} remove it
 * @param nodes the addresses and processes of the nodes
 */
record ClusterState(String settings, boolean kept, List<Entry> nodes) {
  private static final String FILE = "cluster.properties";

  /** The last known state of a node. */
  record Entry(String host, int port, int storagePort, long pid) {}

  static boolean exists(Path dir) {
    return Files.exists(dir.resolve(FILE));
  }

  static ClusterState read(Path dir) {
    Properties file = new Properties();
    try (Reader reader = Files.newBufferedReader(dir.resolve(FILE))) {
      file.load(reader);
    } catch (IOException e) {
      throw new ClusterFailure(
          "cannot read " + dir.resolve(FILE) + ": " + FileFailure.reason(e), e);
    }
    List<Entry> nodes = new ArrayList<>();
    int count = Integer.parseInt(file.getProperty("nodes", "0"));
    for (int i = 0; i < count; i++) {
      nodes.add(
          new Entry(
              file.getProperty("node." + i + ".host", ""),
              Integer.parseInt(file.getProperty("node." + i + ".port", "0")),
              Integer.parseInt(file.getProperty("node." + i + ".storagePort", "0")),
              Long.parseLong(file.getProperty("node." + i + ".pid", "-1"))));
    }
    boolean kept = Boolean.parseBoolean(file.getProperty("kept", "true"));
    return new ClusterState(file.getProperty("settings", ""), kept, List.copyOf(nodes));
  }

  void write(Path dir) {
    Properties file = new Properties();
    file.setProperty("settings", settings);
    file.setProperty("kept", Boolean.toString(kept));
    file.setProperty("nodes", Integer.toString(nodes.size()));
    for (int i = 0; i < nodes.size(); i++) {
      Entry node = nodes.get(i);
      file.setProperty("node." + i + ".host", node.host());
      file.setProperty("node." + i + ".port", Integer.toString(node.port()));
      file.setProperty("node." + i + ".storagePort", Integer.toString(node.storagePort()));
      file.setProperty("node." + i + ".pid", Long.toString(node.pid()));
    }
    try {
      Files.createDirectories(dir);
      Path temporary = dir.resolve(FILE + ".new");
      try (Writer writer = Files.newBufferedWriter(temporary)) {
        file.store(writer, "a local cluster of Sluice; removed by 'sluice cluster stop'");
      }
      Files.move(
          temporary,
          dir.resolve(FILE),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new ClusterFailure(
          "cannot write to " + dir + ": " + FileFailure.reason(e) + "; choose another --dir", e);
    }
  }

  /** Returns the plan of a node, as far as {@code status} and {@code stop} need it. */
  NodePlan plan(Path dir, int index) {
    Entry node = nodes.get(index);
    return new NodePlan(
        index,
        node.host(),
        node.port(),
        node.storagePort(),
        List.of(),
        false,
        dir.resolve("node" + (index + 1)));
  }
}
