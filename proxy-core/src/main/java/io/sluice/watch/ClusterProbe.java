package io.sluice.watch;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.sluice.tls.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** A short session with the configured cluster, to check whether the configuration matches it. */
public final class ClusterProbe {

  private static final Duration STEP_TIMEOUT = Duration.ofSeconds(5);

  private final ClusterConfig config;

  /** Creates a probe of one cluster. */
  public ClusterProbe(ClusterConfig config) {
    this.config = config;
  }

  /**
   * The result of a probe.
   *
   * @param cluster the cluster's name, its versions of Cassandra and its number of nodes
   * @param nodes each node with its data centre and rack
   */
  public record Found(String cluster, List<String> nodes) {

    public Found {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * Connects, reads what the driver knows of the cluster, and closes the session. Blocks.
   *
   * @throws IOException when the cluster cannot be used as configured; the message says why
   */
  public Found look() throws IOException {
    try (CqlSession session = open()) {
      Metadata metadata = session.getMetadata();
      Collection<Node> nodes = metadata.getNodes().values();
      String wrong = ConnectFailure.wrongDatacenter(config.localDatacenter(), nodes);
      if (!wrong.isEmpty()) {
        throw new ClusterMismatch(wrong);
      }
      return new Found(
          described(metadata, nodes), nodes.stream().map(ClusterProbe::described).toList());
    } catch (RuntimeException e) {
      throw new IOException(ConnectFailure.explain(config, e), e);
    }
  }

  /** Opens a session that prefers no data centre. */
  CqlSession open() throws IOException {
    Tls tls = Tls.load(config.tls());
    List<InetSocketAddress> points = ContactPoints.resolved(config.contactPoints());
    List<InetSocketAddress> usable = ContactPointProbe.usable(points, tls);
    ContactPoints.warnOfUnresolved(points);
    CqlSessionBuilder builder =
        CqlSession.builder().withConfigLoader(settings()).addContactPoints(usable);
    if (tls.isOn()) {
      builder.withSslEngineFactory(new DriverTls(tls));
    }
    ClusterConfig.Credentials login = config.credentials();
    return (login == null
            ? builder
            : builder.withAuthCredentials(login.username(), login.password()))
        .build();
  }

  static DriverConfigLoader settings() {
    // A policy with a data centre would fail on a wrong name. The caller reports that name instead.
    return DriverConfigLoader.programmaticBuilder()
        .withString(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, "BasicLoadBalancingPolicy")
        .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, STEP_TIMEOUT)
        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, STEP_TIMEOUT)
        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, STEP_TIMEOUT)
        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, STEP_TIMEOUT)
        .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
        // No request is sent while the session closes, so the driver need not wait two seconds for
        // some.
        .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
        .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
        .build();
  }

  private static String described(Metadata metadata, Collection<Node> nodes) {
    String versions =
        nodes.stream()
            .map(node -> String.valueOf(node.getCassandraVersion()))
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    return metadata.getClusterName().orElse("a cluster without a name")
        + ", Cassandra "
        + versions
        + ", "
        + nodes.size()
        + (nodes.size() == 1 ? " node" : " nodes");
  }

  private static String described(Node node) {
    return node.getEndPoint() + " in " + node.getDatacenter() + ", rack " + node.getRack();
  }
}
