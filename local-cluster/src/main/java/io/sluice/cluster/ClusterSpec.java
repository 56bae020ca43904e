package io.sluice.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The specification of a local cluster. Immutable; each {@code with} method returns a changed copy.
 *
 * @param dir the folder of data, logs and the state file; created by start, removed by stop
 * @param cassandra the published version to run, such as 5.0.9
 * @param nodes number of nodes, 1 to 20
 * @param datacenters number of data centres, among which the nodes are dealt in turn; at most
 *     {@code nodes}
 * @param rf the replication factor of {@link LocalCluster#replication()}, at most {@code nodes}
 * @param vnodes tokens per node, 1 to 256
 * @param partitioner the partitioner
 * @param auth whether to require passwords and check permissions (superuser cassandra/cassandra)
 * @param heap the size of each node's heap, in the JVM's format
 * @param concurrentReads threads of the read stage, at least 2
 * @param port native port (the first one, if nodes share an address)
 * @param storagePort storage port (the first one, if nodes share an address)
 * @param jvmArgs additional arguments for each node's JVM, after the default ones
 * @param yaml options of cassandra.yaml, which override the default ones; values are strings,
 *     numbers, booleans, lists or maps
 * @param prefix a command through which each node's JVM is started. It runs its arguments under the
 *     same process id, for example in a control group. Empty: none
 */
public record ClusterSpec(
    Path dir,
    String cassandra,
    int nodes,
    int datacenters,
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

  /**
   * Checks ranges and takes copies. Throws a {@link ClusterFailure} that names the invalid setting.
   */
  public ClusterSpec {
    dir = dir.toAbsolutePath().normalize();
    jvmArgs = List.copyOf(jvmArgs);
    prefix = List.copyOf(prefix);
    yaml = Collections.unmodifiableSortedMap(new TreeMap<>(yaml));
    range("nodes", nodes, 1, 20);
    range("datacenters", datacenters, 1, nodes);
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

  /** Returns three nodes of Cassandra 5.0.9 in {@code .sluice/cluster}, native port 19042. */
  public static ClusterSpec defaults() {
    return new ClusterSpec(
        Path.of(".sluice", "cluster"),
        "5.0.9",
        3,
        1,
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

  /** Changes the folder. */
  public ClusterSpec withDir(Path value) {
    return new ClusterSpec(
        value,
        cassandra,
        nodes,
        datacenters,
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

  /** Changes the Cassandra version. */
  public ClusterSpec withCassandra(String value) {
    return new ClusterSpec(
        dir,
        value,
        nodes,
        datacenters,
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

  /** Changes the number of nodes and replicas. */
  public ClusterSpec withNodes(int count, int replicas) {
    return new ClusterSpec(
        dir,
        cassandra,
        count,
        datacenters,
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

  /** Changes the number of data centres. */
  public ClusterSpec withDatacenters(int count) {
    return new ClusterSpec(
        dir,
        cassandra,
        nodes,
        count,
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

  /** Returns the data centre of the node with this index, from 0. */
  String datacenter(int node) {
    return "datacenter" + (node % datacenters + 1);
  }

  /** Changes the number of tokens per node. */
  public ClusterSpec withVnodes(int value) {
    return new ClusterSpec(
        dir,
        cassandra,
        nodes,
        datacenters,
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

  /** Changes the partitioner. */
  public ClusterSpec withPartitioner(ClusterPartitioner value) {
    return new ClusterSpec(
        dir,
        cassandra,
        nodes,
        datacenters,
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

  /** Switches passwords and permissions on or off. */
  public ClusterSpec withAuth(boolean value) {
    return new ClusterSpec(
        dir,
        cassandra,
        nodes,
        datacenters,
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

  /** Changes the heap size of each node. */
  public ClusterSpec withHeap(String value) {
    return new ClusterSpec(
        dir,
        cassandra,
        nodes,
        datacenters,
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

  /** Changes the number of threads in the read stage. */
  public ClusterSpec withConcurrentReads(int value) {
    return new ClusterSpec(
        dir,
        cassandra,
        nodes,
        datacenters,
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

  /** Changes the ports. */
  public ClusterSpec withPorts(int nativePort, int internodePort) {
    return new ClusterSpec(
        dir,
        cassandra,
        nodes,
        datacenters,
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

  /** Adds an argument for each node's JVM. */
  public ClusterSpec withJvmArg(String value) {
    List<String> more = new ArrayList<>(jvmArgs);
    more.add(value);
    return new ClusterSpec(
        dir,
        cassandra,
        nodes,
        datacenters,
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

  /** Sets an option of cassandra.yaml, with the key of the Cassandra version in use. */
  public ClusterSpec withYaml(String key, Object value) {
    Map<String, Object> more = new TreeMap<>(yaml);
    more.put(key, value);
    return new ClusterSpec(
        dir,
        cassandra,
        nodes,
        datacenters,
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

  /** Changes the command through which each node's JVM is started. */
  public ClusterSpec withPrefix(List<String> command) {
    return new ClusterSpec(
        dir,
        cassandra,
        nodes,
        datacenters,
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
