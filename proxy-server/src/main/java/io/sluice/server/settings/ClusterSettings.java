package io.sluice.server.settings;

import io.sluice.link.LinkConfig;
import io.sluice.setting.Requirements;
import io.sluice.watch.ClusterConfig;
import io.sluice.watch.ClusterConfig.Credentials;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The section {@code cluster}: {@link ClusterConfig} and {@link LinkConfig}. */
record ClusterSettings(
    List<InetSocketAddress> contactPoints,
    String localDatacenter,
    @Nullable Login credentials,
    Duration agreementTimeout,
    @Nullable Duration startTimeout,
    NodeTlsSettings tls,
    LinkConfig links) {

  /** Default timeout of schema agreement, as in Cassandra's own tools. */
  private static final Duration AGREEMENT = Duration.ofSeconds(10);

  ClusterSettings {
    contactPoints = List.copyOf(contactPoints);
    credentials = credentials == null || credentials.isNone() ? null : credentials;
  }

  /** Returns the defaults. They name no cluster, because that has no default. */
  static ClusterSettings defaults() {
    return new ClusterSettings(
        List.of(), "", null, AGREEMENT, null, NodeTlsSettings.defaults(), LinkConfig.defaults());
  }

  ClusterConfig config() {
    return new ClusterConfig(
        contactPoints,
        localDatacenter,
        credentials == null ? null : credentials.credentials(),
        agreementTimeout,
        startTimeout,
        tls.config());
  }

  /**
   * The section {@code cluster.credentials}: both keys or neither. Without both, the section counts
   * as missing, so that a file may leave both to variables that are not set.
   */
  record Login(String username, String password) {

    Login(@Nullable String username, @Nullable String password) {
      this.username = username == null ? "" : username;
      this.password = password == null ? "" : password;
      boolean both = this.username.isEmpty() == this.password.isEmpty();
      Requirements.of("cluster.credentials")
          .that(
              both,
              this.username.isEmpty() ? "username" : "password",
              "nothing",
              "must be set",
              "write both or neither")
          .check();
    }

    boolean isNone() {
      return username.isEmpty();
    }

    Credentials credentials() {
      return new Credentials(username, password);
    }

    @Override
    public String toString() {
      return "Login[" + username + "]";
    }
  }
}
