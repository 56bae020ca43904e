package io.sluice.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The specification of a local cluster. Immutable; each {@code with} method answers a changed copy.
 *
 * @param dir where the nodes keep data, logs and the state file; made by start, removed by stop
 * @param cassandra the published version to run, such as 5.0.9
 * @param nodes how many nodes, 1 to 20
 * @param rf the replication factor that {@link LocalCluster#replication()} names, at most {@code
 *     nodes}
 * @param vnodes tokens per node, 1 to 256
 * @param partitioner the partitioner
 * @param auth whether to ask for passwords and check permissions (superuser cassandra/cassandra)
 * @param heap the size of each node's heap, as the JVM takes it
 * @param concurrentReads threads of the read stage, at least 2
 * @param port native port (the first one, where nodes share an address)
 * @param storagePort storage port (the first one, where nodes share an address)
 * @param jvmArgs further arguments for each node's JVM, after ours
 * @param yaml options of cassandra.yaml, over ours; values are strings, numbers, booleans, lists or
 *     maps
 * @param prefix a command that runs the command it is given, under the same process id, such as one
 *     that enters a control group first; each node's JVM is started through it. Empty: none
 */
public record ClusterSpec(
    Path dir,
    String cassandra,
    int nodes,
    int rf,
    int vnodes,
    ClusterPartitioner partitioner,
    boolean auth,
    String heap,
    int concurrentReads,
    int port,
    int storagePort,
    List<String> jvmArgs,
    Map<String, Object> yaml,
    List<String> prefix) {

  /** Checks ranges and takes copies; throws {@link ClusterFailure} that names the bad setting. */
  public ClusterSpec {
    dir = dir.toAbsolutePath().normalize();
    jvmArgs = List.copyOf(jvmArgs);
    prefix = List.copyOf(prefix);
    yaml = Collections.unmodifiableSortedMap(new TreeMap<>(yaml));
    range("nodes", nodes, 1, 20);
    range("rf", rf, 1, nodes);
    range("vnodes", vnodes, 1, 256);
    range("concurrent-reads", concurrentReads, 2, 1024);
    range("port", port, 1, 65_535);
    range("storage-port", storagePort, 1, 65_535);
    if (!heap.matches("[1-9][0-9]*[kKmMgG]")) {
      throw new ClusterFailure("heap: '" + heap + "' is not a size; write it like 400m or 1g");
    }
    if (!cassandra.matches("[4-9]\\.[0-9]+[0-9A-Za-z.\\-]*")) {
      throw new ClusterFailure(
          "cassandra: '" + cassandra + "' is not a version from 4.0 on; write it like 5.0.9");
    }
  }

  /** Three nodes of Cassandra 5.0.9 in {@code .sluice/cluster}, native port 19042. */
  public static ClusterSpec defaults() {
    return new ClusterSpec(
        Path.of(".sluice", "cluster"),
        "5.0.9",
        3,
        1,
        1,
        ClusterPartitioner.MURMUR3,
        false,
        "400m",
        32,
        19_042,
        17_000,
        List.of(),
        Map.of(),
        List.of());
  }

  /** In another directory. */
  public ClusterSpec withDir(Path value) {
    return new ClusterSpec(
        value,
        cassandra,
        nodes,
        rf,
        vnodes,
        partitioner,
        auth,
        heap,
        concurrentReads,
        port,
        storagePort,
        jvmArgs,
        yaml,
        prefix);
  }

  /** Another Cassandra version. */
  public ClusterSpec withCassandra(String value) {
    return new ClusterSpec(
        dir,
        value,
        nodes,
        rf,
        vnodes,
        partitioner,
        auth,
        heap,
        concurrentReads,
        port,
        storagePort,
        jvmArgs,
        yaml,
        prefix);
  }

  /** Another number of nodes and replicas. */
  public ClusterSpec withNodes(int count, int replicas) {
    return new ClusterSpec(
        dir,
        cassandra,
        count,
        replicas,
        vnodes,
        partitioner,
        auth,
        heap,
        concurrentReads,
        port,
        storagePort,
        jvmArgs,
        yaml,
        prefix);
  }

  /** Another number of tokens per node. */
  public ClusterSpec withVnodes(int value) {
    return new ClusterSpec(
        dir,
        cassandra,
        nodes,
        rf,
        value,
        partitioner,
        auth,
        heap,
        concurrentReads,
        port,
        storagePort,
        jvmArgs,
        yaml,
        prefix);
  }

  /** Another partitioner. */
  public ClusterSpec withPartitioner(ClusterPartitioner value) {
    return new ClusterSpec(
        dir,
        cassandra,
        nodes,
        rf,
        vnodes,
        value,
        auth,
        heap,
        concurrentReads,
        port,
        storagePort,
        jvmArgs,
        yaml,
        prefix);
  }

  /** With or without passwords and permissions. */
  public ClusterSpec withAuth(boolean value) {
    return new ClusterSpec(
        dir,
        cassandra,
        nodes,
        rf,
        vnodes,
        partitioner,
        value,
        heap,
        concurrentReads,
        port,
        storagePort,
        jvmArgs,
        yaml,
        prefix);
  }

  /** Another heap size for each node. */
  public ClusterSpec withHeap(String value) {
    return new ClusterSpec(
        dir,
        cassandra,
        nodes,
        rf,
        vnodes,
        partitioner,
        auth,
        value,
        concurrentReads,
        port,
        storagePort,
        jvmArgs,
        yaml,
        prefix);
  }

  /** Another number of threads in the read stage. */
  public ClusterSpec withConcurrentReads(int value) {
    return new ClusterSpec(
        dir,
        cassandra,
        nodes,
        rf,
        vnodes,
        partitioner,
        auth,
        heap,
        value,
        port,
        storagePort,
        jvmArgs,
        yaml,
        prefix);
  }

  /** Other ports. */
  public ClusterSpec withPorts(int nativePort, int internodePort) {
    return new ClusterSpec(
        dir,
        cassandra,
        nodes,
        rf,
        vnodes,
        partitioner,
        auth,
        heap,
        concurrentReads,
        nativePort,
        internodePort,
        jvmArgs,
        yaml,
        prefix);
  }

  /** One more argument for each node's JVM. */
  public ClusterSpec withJvmArg(String value) {
    List<String> more = new ArrayList<>(jvmArgs);
    more.add(value);
    return new ClusterSpec(
        dir,
        cassandra,
        nodes,
        rf,
        vnodes,
        partitioner,
        auth,
        heap,
        concurrentReads,
        port,
        storagePort,
        more,
        yaml,
        prefix);
  }

  /** One option of cassandra.yaml, as the Cassandra version at hand spells it. */
  public ClusterSpec withYaml(String key, Object value) {
    Map<String, Object> more = new TreeMap<>(yaml);
    more.put(key, value);
    return new ClusterSpec(
        dir,
        cassandra,
        nodes,
        rf,
        vnodes,
        partitioner,
        auth,
        heap,
        concurrentReads,
        port,
        storagePort,
        jvmArgs,
        more,
        prefix);
  }

  /** Each node's JVM is started through this command. */
  public ClusterSpec withPrefix(List<String> command) {
    return new ClusterSpec(
        dir,
        cassandra,
        nodes,
        rf,
        vnodes,
        partitioner,
        auth,
        heap,
        concurrentReads,
        port,
        storagePort,
        jvmArgs,
        yaml,
        command);
  }

  private static void range(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new ClusterFailure(
          name + ": " + value + " is out of range; it can be " + min + " to " + max);
    }
  }
}
