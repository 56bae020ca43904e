package io.sluice.load;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A CQL endpoint, Cassandra or Sluice. Both get the same driver settings; only the contact points
 * differ.
 *
 * @param contactPoints the driver's contact points
 * @param datacenter the driver's local data centre; null for that of the contact points
 * @param protocol native protocol version, such as V5; null for the highest that both sides support
 * @param login user name and password; null if no login is required
 * @param tls whether to use TLS, with the JVM's own key and trust stores
 * @param timeout request timeout of the driver
 * @param connections connections to each node, at least 1
 * @param inFlight most requests in flight on a connection, 1 to 32768
 */
public record Endpoint(
    List<InetSocketAddress> contactPoints,
    @Nullable String datacenter,
    @Nullable String protocol,
    @Nullable Login login,
    boolean tls,
    Duration timeout,
    int connections,
    int inFlight) {

  /** The user name and password of a role. */
  public record Login(String user, String password) {
    @Override
    public String toString() {
      return user;
    }
  }

  /** Copies the contact points. */
  public Endpoint {
    contactPoints = List.copyOf(contactPoints);
    if (contactPoints.isEmpty() || connections < 1 || inFlight < 1 || inFlight > 32_768) {
      throw new IllegalArgumentException(
          "contact points: at least 1; connections: at least 1; in flight: 1 to 32768");
    }
  }

  /**
   * Returns an endpoint with the usual driver settings: one connection to each node, a timeout of
   * 20 s.
   */
  public static Endpoint of(List<InetSocketAddress> contactPoints, @Nullable String datacenter) {
    return new Endpoint(
        contactPoints, datacenter, null, null, false, Duration.ofSeconds(20), 1, 4096);
  }

  /** Returns the same endpoint for another role. */
  public Endpoint withLogin(Login other) {
    return new Endpoint(
        contactPoints, datacenter, protocol, other, tls, timeout, connections, inFlight);
  }

  /** Opens a session. Throws the driver's exception if no host answers. */
  public CqlSession open() {
    CqlSessionBuilder builder =
        CqlSession.builder().addContactPoints(contactPoints).withConfigLoader(settings());
    if (datacenter != null) {
      builder.withLocalDatacenter(datacenter);
    }
    if (login != null) {
      builder.withAuthCredentials(login.user(), login.password());
    }
    return builder.build();
  }

  private DriverConfigLoader settings() {
    ProgrammaticDriverConfigLoaderBuilder settings =
        DriverConfigLoader.programmaticBuilder()
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, timeout)
            .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, timeout)
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, timeout)
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, timeout)
            .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, timeout)
            .withInt(DefaultDriverOption.CONNECTION_POOL_LOCAL_SIZE, connections)
            .withInt(DefaultDriverOption.CONNECTION_MAX_REQUESTS, inFlight)
            .withInt(DefaultDriverOption.CONNECTION_MAX_ORPHAN_REQUESTS, Math.max(1, inFlight / 4))
            .withInt(DefaultDriverOption.NETTY_IO_SIZE, 2)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
            // No request is sent while a session closes, so the driver need not wait two seconds
            // for some.
            .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0);
    if (protocol != null) {
      settings.withString(DefaultDriverOption.PROTOCOL_VERSION, protocol);
    }
    if (datacenter == null) {
      settings.withString(
          DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, "DcInferringLoadBalancingPolicy");
    }
    if (tls) {
      settings.withString(DefaultDriverOption.SSL_ENGINE_FACTORY_CLASS, "DefaultSslEngineFactory");
    }
    return settings.build();
  }
}
