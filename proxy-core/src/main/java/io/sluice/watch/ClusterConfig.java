package io.sluice.watch;

import io.sluice.setting.Requirements;
import io.sluice.tls.TlsConfig;
import io.sluice.wire.Identity;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the cluster behind the proxy.
 *
 * @param contactPoints nodes to connect to first; at least one
 * @param localDatacenter the data centre whose nodes the proxy uses
 * @param credentials the login of the control connection; null if the cluster requires none.
 *     Clients log in with their own
 * @param agreementTimeout maximum time for which the answer to a schema change is held until all
 *     live nodes have the change; at least 100 ms
 * @param startTimeout how long a start waits for a cluster that is not usable yet; null waits
 *     forever, 0 allows one attempt
 * @param tls whether and how the connections to nodes are encrypted: the control connection and the
 *     links
 */
public record ClusterConfig(
    List<InetSocketAddress> contactPoints,
    String localDatacenter,
    @Nullable Credentials credentials,
    Duration agreementTimeout,
    @Nullable Duration startTimeout,
    TlsConfig tls) {

  private static final Duration MIN_AGREEMENT = Duration.ofMillis(100);

  public ClusterConfig {
    contactPoints = List.copyOf(contactPoints);
    Requirements.of("cluster")
        .that(
            !contactPoints.isEmpty(), "contactPoints", contactPoints, "must name at least one node")
        .that(!localDatacenter.isBlank(), "localDatacenter", localDatacenter, "must not be empty")
        .atLeast("agreementTimeout", agreementTimeout, MIN_AGREEMENT)
        .atLeast("startTimeout", startTimeout == null ? Duration.ZERO : startTimeout, Duration.ZERO)
        .check();
  }

  /** Creates the settings of a cluster whose nodes are connected to without TLS. */
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

  /** Returns the identity of the proxy at nodes. */
  public Identity identity() {
    return credentials == null ? Identity.ANONYMOUS : credentials.identity();
  }

  /** Returns a copy of these settings with {@code other} TLS. */
  public ClusterConfig withTls(TlsConfig other) {
    return new ClusterConfig(
        contactPoints, localDatacenter, credentials, agreementTimeout, startTimeout, other);
  }

  /** Creates the settings of a cluster without TLS, with a start that waits forever. */
  public ClusterConfig(
      List<InetSocketAddress> contactPoints,
      String localDatacenter,
      @Nullable Credentials credentials,
      Duration agreementTimeout) {
    this(contactPoints, localDatacenter, credentials, agreementTimeout, null);
  }

  /** A role and its password. {@code toString} shows no password. */
  public record Credentials(String username, String password) {

    /** Returns these credentials as the identity of links. */
    public Identity identity() {
      return Identity.plain(username, password);
    }

    @Override
    public String toString() {
      return "Credentials[" + username + "]";
    }
  }
}
