package io.sluice.watch;

import io.sluice.setting.Requirements;
import io.sluice.tls.TlsConfig;
import io.sluice.wire.Identity;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the cluster to serve.
 *
 * @param contactPoints nodes to ask first; at least one
 * @param localDatacenter the data centre whose nodes are asked
 * @param credentials whom the control connection speaks for; null where the cluster asks for no
 *     proof. Clients bring their own
 * @param agreementTimeout how long the answer to a schema change is held at most until all live
 *     nodes have it; at least 100 ms
 * @param startTimeout how long a start waits for a cluster that cannot be used yet; null waits
 *     without end, 0 is one try
 * @param tls whether and how the connections to nodes are encrypted, this one and the links
 */
public record ClusterConfig(
    List<InetSocketAddress> contactPoints,
    String localDatacenter,
    @Nullable Credentials credentials,
    Duration agreementTimeout,
    @Nullable Duration startTimeout,
    TlsConfig tls) {

  private static final Duration LEAST_AGREEMENT = Duration.ofMillis(100);

  public ClusterConfig {
    contactPoints = List.copyOf(contactPoints);
    Requirements.of("cluster")
        .that(
            !contactPoints.isEmpty(), "contactPoints", contactPoints, "must name at least one node")
        .that(!localDatacenter.isBlank(), "localDatacenter", localDatacenter, "must not be empty")
        .atLeast("agreementTimeout", agreementTimeout, LEAST_AGREEMENT)
        .atLeast("startTimeout", startTimeout == null ? Duration.ZERO : startTimeout, Duration.ZERO)
        .check();
  }

  /** A cluster whose nodes are connected to without TLS. */
  public ClusterConfig(
      List<InetSocketAddress> contactPoints,
      String localDatacenter,
      @Nullable Credentials credentials,
      Duration agreementTimeout,
      @Nullable Duration startTimeout) {
    this(
        contactPoints,
        localDatacenter,
        credentials,
        agreementTimeout,
        startTimeout,
        TlsConfig.off(TlsConfig.Side.NODE));
  }

  /** The same with other TLS. */
  public ClusterConfig withTls(TlsConfig other) {
    return new ClusterConfig(
        contactPoints, localDatacenter, credentials, agreementTimeout, startTimeout, other);
  }

  /** A cluster whose start is waited for without end. */
  public ClusterConfig(
      List<InetSocketAddress> contactPoints,
      String localDatacenter,
      @Nullable Credentials credentials,
      Duration agreementTimeout) {
    this(contactPoints, localDatacenter, credentials, agreementTimeout, null);
  }

  /** A role and its password; {@code toString} shows no secret. */
  public record Credentials(String username, String password) {

    /** The same as an identity of links. */
    public Identity identity() {
      return Identity.plain(username, password);
    }

    @Override
    public String toString() {
      return "Credentials[" + username + "]";
    }
  }
}
