package io.sluice.it.cluster;

import io.sluice.cluster.Readiness;
import io.sluice.testcontainers.SluiceContainer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.testcontainers.lifecycle.Startables;

/**
 * Nodes and proxy in containers of one network. Only the proxy's port is published; nodes are
 * reached at their own addresses, which needs a Linux host.
 */
final class DockerCluster implements ClusterUnderTest {
  private static final Duration RING_LIMIT = Duration.ofMinutes(1);

  private final ClusterShape shape;
  private final DockerImages images = DockerImages.chosen();
  private final DockerNetwork network;
  private final List<DockerNode> nodes;

  DockerCluster(ClusterShape shape) {
    String lacking = images.lacking();
    if (lacking != null) {
      throw new IllegalStateException("no cluster of containers: " + lacking);
    }
    this.shape = shape;
    this.network = DockerNetwork.create();
    this.nodes =
        IntStream.range(0, shape.nodes())
            .mapToObj(i -> new DockerNode(network, i, images.node(shape), environment()))
            .toList();
    Startables.deepStart(nodes.stream().map(DockerNode::container)).join();
    Awaitility.await()
        .atMost(RING_LIMIT)
        .until(
            () ->
                nodes.stream()
                    .allMatch(n -> Readiness.seesWholeRing(n.address(), shape.nodes() - 1)));
  }

  private Map<String, String> environment() {
    String seeds =
        IntStream.range(0, shape.nodes())
            .mapToObj(network::address)
            .collect(Collectors.joining(","));
    return Map.of(
        "CASSANDRA_CLUSTER_NAME", "sluice local",
        "CASSANDRA_SEEDS", seeds,
        "MAX_HEAP_SIZE", "400M",
        "HEAP_NEWSIZE", "100M",
        "JVM_EXTRA_OPTS", String.join(" ", jvmOptions()));
  }

  /**
   * Returns JVM options, also for settings: stock Cassandra reads these as properties, so any image
   * works.
   */
  private List<String> jvmOptions() {
    Map<String, String> settings = new HashMap<>(NodeSettings.PATIENT);
    settings.put("materialized_views_enabled", "true");
    settings.put("user_defined_functions_enabled", "true");
    if (shape.auth()) {
      settings.putAll(NodeSettings.AUTH);
      settings.put("authenticator.class_name", "PasswordAuthenticator");
      settings.put("authorizer.class_name", "CassandraAuthorizer");
      settings.put("role_manager.class_name", "CassandraRoleManager");
    }
    List<String> options =
        settings.entrySet().stream()
            .map(e -> "-Dcassandra.settings." + e.getKey() + "=" + e.getValue())
            .collect(Collectors.toList());
    options.add("-Dcassandra.config.allow_system_properties=true");
    options.add("-XX:+UseSerialGC");
    options.add(NodeSettings.FIRST_COMPILER_ONLY);
    options.add(NodeSettings.SCHEMA_IN_MEMORY);
    options.add("-Dcassandra.ring_delay_ms=2000");
    options.add("-Dcassandra.skip_wait_for_gossip_to_settle=0");
    options.add("-Dcassandra.superuser_setup_delay_ms=500");
    options.add("-Dcassandra.system_auth.default_rf=" + Math.min(3, shape.nodes()));
    if (!shape.auth() && !shape.agent()) {
      options.add(NodeSettings.MIRROR_PAYLOAD);
    }
    return options;
  }

  @Override
  public Set<Capability> capabilities() {
    return Provider.DOCKER.capabilities();
  }

  @Override
  public List<DockerNode> nodes() {
    return nodes;
  }

  // The container is stopped with this JVM, like the nodes.
  @SuppressWarnings("resource")
  @Override
  public InetSocketAddress startProxy() {
    String[] contactPoints =
        nodes.stream().map(n -> n.address().getHostString() + ":9042").toArray(String[]::new);
    SluiceContainer proxy =
        new SluiceContainer(images.sluice()).withCassandra(network.network(), contactPoints);
    // Tables of tests are small, but must be split.
    proxy.withEnv("SLUICE_TARGET_PARTITIONS", "20");
    if (shape.auth()) {
      proxy.withEnv("SLUICE_USERNAME", "cassandra").withEnv("SLUICE_PASSWORD", "cassandra");
    }
    proxy.start();
    return literal(proxy.getContactPoint());
  }

  /** Returns the address without a host name: drivers report addresses, and tests compare them. */
  private static InetSocketAddress literal(InetSocketAddress address) {
    try {
      byte[] bytes = InetAddress.getByName(address.getHostString()).getAddress();
      String host = InetAddress.getByAddress(bytes).getHostAddress();
      return new InetSocketAddress(host, address.getPort());
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}
