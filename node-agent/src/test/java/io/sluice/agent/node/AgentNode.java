package io.sluice.agent.node;

import io.sluice.agent.hook.PinMXBean;
import io.sluice.agent.hook.ReadStageMBean;
import io.sluice.cluster.ClusterSpec;
import io.sluice.cluster.LocalCluster;
import io.sluice.rawcql.RawCql;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;

/**
 * One real Cassandra node (or two) with two read threads, and what a test wants to see of it. Where
 * no node is named, the first is meant.
 */
final class AgentNode implements AutoCloseable {
  static final int ONE = 1;
  static final int ALL = 5;
  private static final int TIMEOUT_MILLIS = 30_000;

  private final LocalCluster cluster;
  private final Map<Integer, JMXConnector> jmx = new HashMap<>();

  private AgentNode(LocalCluster cluster) {
    this.cluster = cluster;
  }

  /** Starts a node with the agent as it was built, and those arguments for it. */
  static AgentNode withAgent(String arguments, UnaryOperator<ClusterSpec> more) {
    String suffix = arguments.isEmpty() ? "" : "=" + arguments;
    return start(spec -> more.apply(spec.withJvmArg("-javaagent:" + agentJar() + suffix)));
  }

  static AgentNode start(UnaryOperator<ClusterSpec> more) {
    ClusterSpec spec =
        ClusterSpec.defaults()
            .withDir(Path.of(System.getProperty("sluice.agent.dir", "target"), "agent-cluster"))
            .withNodes(1, 1)
            .withConcurrentReads(2)
            .withPorts(
                Integer.getInteger("sluice.agent.port", 25_042),
                Integer.getInteger("sluice.agent.storagePort", 27_000));
    return new AgentNode(LocalCluster.start(more.apply(spec), System.out::println));
  }

  static Path agentJar() {
    return Path.of(System.getProperty("sluice.agent.jar", "target/sluice-node-agent.jar"))
        .toAbsolutePath();
  }

  InetSocketAddress address() {
    return cluster.node(0).address();
  }

  /** A new connection. */
  RawCql connect() throws IOException {
    return RawCql.connect(address(), 4, TIMEOUT_MILLIS, "cassandra", "cassandra");
  }

  /** The node's whole log. */
  List<String> log() throws IOException {
    return Files.readAllLines(cluster.node(0).log());
  }

  /** The lines of the log that the agent wrote. */
  List<String> agentsLines() throws IOException {
    return log().stream().filter(line -> line.contains("Sluice node agent")).toList();
  }

  /** The read stage as the agent shows it. */
  ReadStageMBean stage() throws Exception {
    return bean(0, "ReadStage");
  }

  /** Native-Transport-Requests as the agent shows it. */
  ReadStageMBean nativeTransport() throws Exception {
    return bean(0, "NativeTransport");
  }

  /** The read stage of the second node. */
  ReadStageMBean stageOfTheOther() throws Exception {
    return bean(1, "ReadStage");
  }

  private ReadStageMBean bean(int index, String type) throws Exception {
    return JMX.newMBeanProxy(
        server(index), new ObjectName("io.sluice:type=" + type), ReadStageMBean.class);
  }

  /** The index files in memory, as the agent shows them. */
  PinMXBean pin() throws Exception {
    return JMX.newMXBeanProxy(server(0), new ObjectName("io.sluice:type=Pin"), PinMXBean.class);
  }

  /** The folder of the node's tables. */
  Path data() {
    return cluster.node(0).dir().resolve("data");
  }

  /** A file of the kernel about the node's process. */
  Path proc(String name) {
    return Path.of("/proc", Long.toString(cluster.node(0).pid()), name);
  }

  /** The names of the agent's beans. */
  Set<ObjectName> agentsBeans() throws Exception {
    return server(0).queryNames(new ObjectName("io.sluice:*"), null);
  }

  private MBeanServerConnection server(int index) throws IOException {
    JMXConnector known = jmx.get(index);
    if (known == null) {
      known = cluster.node(index).jmx();
      jmx.put(index, known);
    }
    return known.getMBeanServerConnection();
  }

  /** Calls an operation of Cassandra's storage service. */
  void storageService(String operation, Object[] arguments, String... types) throws Exception {
    server(0)
        .invoke(
            new ObjectName("org.apache.cassandra.db:type=StorageService"),
            operation,
            arguments,
            types);
  }

  /** Ends the process as the system would, and waits. */
  void stop() {
    cluster.node(0).stop();
  }

  boolean alive() {
    return cluster.node(0).alive();
  }

  /** Writes memtables out, so that reads have some work. */
  void flush(String keyspace) {
    cluster.node(0).flush(keyspace);
  }

  String replication() {
    return cluster.replication();
  }

  @Override
  public void close() throws IOException {
    try {
      if (alive()) {
        for (JMXConnector each : jmx.values()) {
          each.close();
        }
      }
    } finally {
      cluster.close();
    }
  }
}
