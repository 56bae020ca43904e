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
 * One or two real Cassandra nodes with two read threads. Methods without a node concern the first.
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

  /** Starts a node with the built agent and these arguments. */
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
            .withJvmArg("-XX:TieredStopAtLevel=1")
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

  /** Opens a new connection. */
  RawCql connect() throws IOException {
    return RawCql.connect(address(), 4, TIMEOUT_MILLIS, "cassandra", "cassandra");
  }

  /** Returns the node's whole log. */
  List<String> log() throws IOException {
    return Files.readAllLines(cluster.node(0).log());
  }

  /** Returns the lines of the log from the agent. */
  List<String> agentsLines() throws IOException {
    return log().stream().filter(line -> line.contains("Sluice node agent")).toList();
  }

  /** Returns the agent's bean of the read stage. */
  ReadStageMBean stage() throws Exception {
    return bean(0, "ReadStage");
  }

  /** Returns the agent's bean of Native-Transport-Requests. */
  ReadStageMBean nativeTransport() throws Exception {
    return bean(0, "NativeTransport");
  }

  /** Returns the agent's bean of the second node's read stage. */
  ReadStageMBean stageOfTheOther() throws Exception {
    return bean(1, "ReadStage");
  }

  private ReadStageMBean bean(int index, String type) throws Exception {
    return JMX.newMBeanProxy(
        server(index), new ObjectName("io.sluice:type=" + type), ReadStageMBean.class);
  }

  /** Returns the agent's bean of the index files in memory. */
  PinMXBean pin() throws Exception {
    return JMX.newMXBeanProxy(server(0), new ObjectName("io.sluice:type=Pin"), PinMXBean.class);
  }

  /** Returns the folder of the node's tables. */
  Path data() {
    return cluster.node(0).dir().resolve("data");
  }

  /** Returns a file of the node's process in /proc. */
  Path proc(String name) {
    return Path.of("/proc", Long.toString(cluster.node(0).pid()), name);
  }

  /** Returns the names of the agent's beans. */
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

  /** Stops the process gracefully, and waits. */
  void stop() {
    cluster.node(0).stop();
  }

  boolean alive() {
    return cluster.node(0).alive();
  }

  /** Flushes memtables, so that reads have work. */
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
