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
 * @param topology the nodes and their places in the ring
 * @param ports the ports of the nodes
 * @param config the contents of each node's cassandra.yaml
 * @param jvm the virtual machine of each node
 */
public record ClusterSpec(
    Path dir, String cassandra, Topology topology, Ports ports, Config config, Jvm jvm) {

  /**
   * The nodes and their places in the ring.
   *
   * @param nodes number of nodes, 1 to 20
   * @param datacenters number of data centres, among which the nodes are dealt in turn; at most
   *     {@code nodes}
   * @param rf the replication factor of {@link LocalCluster#replication()}, at most {@code nodes}
   * @param vnodes tokens per node, 1 to 256
   * @param partitioner the partitioner
   */
  public record Topology(
      int nodes, int datacenters, int rf, int vnodes, ClusterPartitioner partitioner) {

    /** Checks ranges. Throws a {@link ClusterFailure} that names the invalid setting. */
    public Topology {
      range("nodes", nodes, 1, 20);
      range("datacenters", datacenters, 1, nodes);
      range("rf", rf, 1, nodes);
      range("vnodes", vnodes, 1, 256);
    }
  }

  /**
   * The ports of the nodes; the first ones, if nodes share an address.
   *
   * @param cql the native port
   * @param storage the storage port
   */
  public record Ports(int cql, int storage) {

    /** Checks ranges. Throws a {@link ClusterFailure} that names the invalid setting. */
    public Ports {
      range("port", cql, 1, 65_535);
      range("storage-port", storage, 1, 65_535);
    }
  }

  /**
   * The contents of each node's cassandra.yaml.
   *
   * @param auth whether to require passwords and check permissions (superuser cassandra/cassandra)
   * @param concurrentReads threads of the read stage, at least 2
   * @param yaml options that override all others; values are strings, numbers, booleans, lists or
   *     maps
   */
  public record Config(boolean auth, int concurrentReads, Map<String, Object> yaml) {

    /** Checks ranges and takes a copy. Throws a {@link ClusterFailure} that names the setting. */
    public Config {
      range("concurrent-reads", concurrentReads, 2, 1024);
      yaml = Collections.unmodifiableSortedMap(new TreeMap<>(yaml));
    }

    private Config with(String key, Object value) {
      Map<String, Object> more = new TreeMap<>(yaml);
      more.put(key, value);
      return new Config(auth, concurrentReads, more);
    }
  }

  /**
   * The virtual machine of each node.
   *
   * @param heap the size of the heap, in the JVM's format
   * @param args additional arguments, after the default ones
   * @param prefix a command through which the JVM is started. It runs its arguments under the same
   *     process id, for example in a control group. Empty: none
   */
  public record Jvm(String heap, List<String> args, List<String> prefix) {

    /** Checks the size and takes copies. Throws a {@link ClusterFailure} that names the setting. */
    public Jvm {
      args = List.copyOf(args);
      prefix = List.copyOf(prefix);
      if (!heap.matches("[1-9][0-9]*[kKmMgG]")) {
        throw new ClusterFailure("heap: '" + heap + "' is not a size; write it like 400m or 1g");
      }
    }

    private Jvm with(String arg) {
      List<String> more = new ArrayList<>(args);
      more.add(arg);
      return new Jvm(heap, more, prefix);
    }
  }

  /** Checks the version. Throws a {@link ClusterFailure} that names the invalid setting. */
  public ClusterSpec {
    dir = dir.toAbsolutePath().normalize();
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
        new Topology(3, 1, 1, 1, ClusterPartitioner.MURMUR3),
        new Ports(19_042, 17_000),
        new Config(false, 32, Map.of()),
        new Jvm("400m", List.of(), List.of()));
  }

  /** Returns the number of nodes. */
  public int nodes() {
    return topology.nodes();
  }

  /** Returns the data centre of the node with this index, from 0. */
  String datacenter(int node) {
    return "datacenter" + (node % topology.datacenters() + 1);
  }

  /** Changes the folder. */
  public ClusterSpec withDir(Path value) {
    return new ClusterSpec(value, cassandra, topology, ports, config, jvm);
  }

  /** Changes the Cassandra version. */
  public ClusterSpec withCassandra(String value) {
    return new ClusterSpec(dir, value, topology, ports, config, jvm);
  }

  /** Changes the topology. */
  public ClusterSpec with(Topology value) {
    return new ClusterSpec(dir, cassandra, value, ports, config, jvm);
  }

  /** Changes the number of nodes and replicas. */
  public ClusterSpec withNodes(int count, int replicas) {
    return with(
        new Topology(
            count, topology.datacenters(), replicas, topology.vnodes(), topology.partitioner()));
  }

  /** Changes the number of data centres. */
  public ClusterSpec withDatacenters(int count) {
    return with(
        new Topology(
            topology.nodes(), count, topology.rf(), topology.vnodes(), topology.partitioner()));
  }

  /** Changes the number of tokens per node. */
  public ClusterSpec withVnodes(int value) {
    return with(
        new Topology(
            topology.nodes(),
            topology.datacenters(),
            topology.rf(),
            value,
            topology.partitioner()));
  }

  /** Changes the partitioner. */
  public ClusterSpec withPartitioner(ClusterPartitioner value) {
    return with(
        new Topology(
            topology.nodes(), topology.datacenters(), topology.rf(), topology.vnodes(), value));
  }

  /** Changes the ports. */
  public ClusterSpec withPorts(int cql, int storage) {
    return new ClusterSpec(dir, cassandra, topology, new Ports(cql, storage), config, jvm);
  }

  private ClusterSpec with(Config value) {
    return new ClusterSpec(dir, cassandra, topology, ports, value, jvm);
  }

  /** Switches passwords and permissions on or off. */
  public ClusterSpec withAuth(boolean value) {
    return with(new Config(value, config.concurrentReads(), config.yaml()));
  }

  /** Changes the number of threads in the read stage. */
  public ClusterSpec withConcurrentReads(int value) {
    return with(new Config(config.auth(), value, config.yaml()));
  }

  /** Sets an option of cassandra.yaml, with the key of the Cassandra version in use. */
  public ClusterSpec withYaml(String key, Object value) {
    return with(config.with(key, value));
  }

  private ClusterSpec with(Jvm value) {
    return new ClusterSpec(dir, cassandra, topology, ports, config, value);
  }

  /** Changes the heap size of each node. */
  public ClusterSpec withHeap(String value) {
    return with(new Jvm(value, jvm.args(), jvm.prefix()));
  }

  /** Adds an argument for each node's JVM. */
  public ClusterSpec withJvmArg(String value) {
    return with(jvm.with(value));
  }

  /** Changes the command through which each node's JVM is started. */
  public ClusterSpec withPrefix(List<String> command) {
    return with(new Jvm(jvm.heap(), jvm.args(), command));
  }

  private static void range(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new ClusterFailure(
          name + ": " + value + " is out of range; it can be " + min + " to " + max);
    }
  }
}
