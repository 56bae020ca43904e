package io.sluice.it;

import io.sluice.cluster.LocalCluster;
import io.sluice.cluster.LocalNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.management.Attribute;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;

/**
 * Two nodes with half of the data each. Their JVM options come from a file that is read at each
 * start, like {@code jvm-server.options}.
 */
final class AgentNodes implements AutoCloseable {
  /** Fewer than the default, so that tests can distinguish the two. */
  static final int CONCURRENT_READS = 8;

  private static final int PORTS_FURTHER = 20;

  private final Path options;
  private final LocalCluster cluster;

  /** Starts both nodes with those options. */
  AgentNodes(String jvmOptions) throws IOException {
    Path dir = Path.of(System.getProperty("sluice.it.dir", "target")).toAbsolutePath();
    Files.createDirectories(dir);
    options = dir.resolve("agent-nodes.options");
    jvmOptions(jvmOptions);
    cluster =
        LocalCluster.start(
            OwnNodes.two("agent", PORTS_FURTHER)
                .withConcurrentReads(CONCURRENT_READS)
                .withJvmArg("-XX:VMOptionsFile=" + options),
            line -> {});
  }

  /** Returns the JVM option that loads the agent. */
  static String agent(String arguments) {
    String jar =
        System.getProperty("sluice.agent.jar", "../node-agent/target/sluice-node-agent.jar");
    return "-javaagent:" + Path.of(jar).toAbsolutePath().normalize() + arguments;
  }

  /** Sets the JVM options for the next starts. */
  void jvmOptions(String line) throws IOException {
    Files.writeString(options, line + "\n");
  }

  LocalNode node(int index) {
    return cluster.node(index);
  }

  InetSocketAddress address(int index) {
    return node(index).address();
  }

  List<InetSocketAddress> addresses() {
    return cluster.contactPoints();
  }

  String replication() {
    return cluster.replication();
  }

  /** A call of a node's beans. */
  private interface JmxCall<T> {
    T on(MBeanServerConnection beans) throws Exception;
  }

  private <T> T jmx(int index, JmxCall<T> call) throws Exception {
    try (JMXConnector connector = node(index).jmx()) {
      return call.on(connector.getMBeanServerConnection());
    }
  }

  /** Returns the number of requests at the node whose hint had a width. */
  long hintedRequests(int index) throws Exception {
    ObjectName bean = new ObjectName("io.sluice:type=NativeTransport");
    return jmx(index, beans -> (Long) beans.getAttribute(bean, "WidthsTold"));
  }

  /** Switches the order of the read stage on or off. */
  void setEnabled(int index, boolean enabled) throws Exception {
    ObjectName bean = new ObjectName("io.sluice:type=ReadStage");
    jmx(
        index,
        beans -> {
          beans.setAttribute(bean, new Attribute("Enabled", enabled));
          return enabled;
        });
  }

  @Override
  public void close() throws IOException {
    cluster.close();
    Files.deleteIfExists(options);
  }
}
