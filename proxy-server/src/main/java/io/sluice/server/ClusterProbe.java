package io.sluice.server;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A short session with the configured cluster, to see whether the configuration fits it. */
final class ClusterProbe {

  private static final Duration STEP = Duration.ofSeconds(5);

  private final ClusterSettings settings;

  ClusterProbe(ClusterSettings settings) {
    this.settings = settings;
  }

  /**
   * What was found: cluster, version, nodes.
   *
   * @throws IOException when the cluster cannot be used as configured; the message says why
   */
  String describe() throws IOException {
    try (CqlSession session = open()) {
      Metadata metadata = session.getMetadata();
      Collection<Node> nodes = metadata.getNodes().values();
      requireDatacenter(nodes);
      StringBuilder text = new StringBuilder();
      Summary.line(text, "found", found(metadata, nodes));
      nodes.forEach(node -> Summary.line(text, "", describe(node)));
      return text.toString();
    } catch (AllNodesFailedException e) {
      throw refused(e);
    } catch (DriverException | IllegalArgumentException e) {
      throw new IOException("the cluster cannot be asked: " + e.getMessage(), e);
    }
  }

  private CqlSession open() {
    // No policy of a data centre: a wrong one is to be reported, not to be tripped over.
    DriverConfigLoader config =
        DriverConfigLoader.programmaticBuilder()
            .withString(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, "BasicLoadBalancingPolicy")
            .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, STEP)
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, STEP)
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, STEP)
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, STEP)
            .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
            .build();
    CqlSessionBuilder builder =
        CqlSession.builder().withConfigLoader(config).addContactPoints(settings.contactPoints());
    ClusterSettings.Login login = settings.credentials();
    return (login == null
            ? builder
            : builder.withAuthCredentials(login.username(), login.password()))
        .build();
  }

  private void requireDatacenter(Collection<Node> nodes) throws IOException {
    TreeSet<String> datacenters =
        nodes.stream()
            .map(Node::getDatacenter)
            .filter(Objects::nonNull)
            .collect(Collectors.toCollection(TreeSet::new));
    String wanted = settings.localDatacenter();
    if (!datacenters.contains(wanted)) {
      String suggestion =
          Wording.closest(wanted, datacenters)
              .map(near -> "; did you mean " + near + "?")
              .orElse("");
      throw new IOException(
          "cluster.localDatacenter is "
              + wanted
              + ", but the cluster has "
              + String.join(", ", datacenters)
              + suggestion);
    }
  }

  private static String found(Metadata metadata, Collection<Node> nodes) {
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

  private static String describe(Node node) {
    return node.getEndPoint() + " in " + node.getDatacenter() + ", rack " + node.getRack();
  }

  private IOException refused(AllNodesFailedException thrown) {
    Optional<AuthenticationException> authentication =
        thrown.getAllErrors().values().stream()
            .flatMap(List::stream)
            .filter(AuthenticationException.class::isInstance)
            .map(AuthenticationException.class::cast)
            .findFirst();
    if (authentication.isPresent()) {
      return new IOException(unauthenticated(authentication.get()), thrown);
    }
    String nodes =
        thrown.getAllErrors().entrySet().stream()
            .map(entry -> entry.getKey().getEndPoint() + " (" + cause(entry.getValue()) + ")")
            .collect(Collectors.joining(", "));
    return new IOException("cluster.contactPoints: none can be reached: " + nodes, thrown);
  }

  private String unauthenticated(AuthenticationException thrown) {
    ClusterSettings.Login login = settings.credentials();
    return login == null
        ? "the cluster asks for a login; set cluster.credentials {username, password}"
        : "cluster.credentials: " + login.username() + " was refused: " + thrown.getMessage();
  }

  private static String cause(List<Throwable> thrown) {
    Throwable cause = thrown.get(thrown.size() - 1);
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof ClosedChannelException
        ? "the connection is refused or closed"
        : cause.getClass().getSimpleName() + ": " + cause.getMessage();
  }
}
