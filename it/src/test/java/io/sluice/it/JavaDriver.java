package io.sluice.it;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * Opens sessions of the Java driver with the same settings. At a cluster, all requests go to one
 * coordinator.
 */
final class JavaDriver {
  private JavaDriver() {}

  /** Opens a session without schema metadata, which would delay every schema change by a second. */
  static CqlSession open(Target target, Wire wire) {
    return builder(target, wire, false).build();
  }

  /** Opens a session like {@link #open}, with schema metadata. */
  static CqlSession openWithSchema(Target target, Wire wire) {
    return builder(target, wire, true).build();
  }

  /** Opens a session of a role. */
  static CqlSession openAs(Target target, String user, String password) {
    return builder(target, Wire.USUAL, false).withAuthCredentials(user, password).build();
  }

  /** Opens a session that reads the schema of one keyspace, which may be a system keyspace. */
  static CqlSession openWithSchemaOf(Target target, Wire wire, String keyspace) {
    DriverConfigLoader config =
        config(wire, true)
            .withStringList(
                DefaultDriverOption.METADATA_SCHEMA_REFRESHED_KEYSPACES, List.of(keyspace))
            .build();
    return builder(target, wire, true).withConfigLoader(config).build();
  }

  /** Returns a builder for further settings. */
  static CqlSessionBuilder builder(Target target, Wire wire, boolean schema) {
    InetSocketAddress coordinator = target.address();
    return CqlSession.builder()
        .addContactPoint(coordinator)
        .withLocalDatacenter("datacenter1")
        .withNodeDistanceEvaluator(
            (node, dc) ->
                node.getEndPoint().resolve().equals(coordinator) ? null : NodeDistance.IGNORED)
        .withConfigLoader(config(wire, schema).build());
  }

  private static ProgrammaticDriverConfigLoaderBuilder config(Wire wire, boolean schema) {
    return DriverConfigLoader.programmaticBuilder()
        .withString(DefaultDriverOption.PROTOCOL_VERSION, wire.version())
        .withString(DefaultDriverOption.PROTOCOL_COMPRESSION, wire.compression())
        .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "LOCAL_QUORUM")
        .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, schema)
        .withDuration(DefaultDriverOption.METADATA_SCHEMA_WINDOW, Duration.ofMillis(50))
        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofSeconds(30))
        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, Duration.ofSeconds(30))
        .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, Duration.ofSeconds(30))
        .withInt(DefaultDriverOption.REQUEST_TRACE_ATTEMPTS, 50)
        .withDuration(DefaultDriverOption.REQUEST_TRACE_INTERVAL, Duration.ofMillis(100))
        .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(200))
        .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(1))
        .withInt(DefaultDriverOption.SESSION_LEAK_THRESHOLD, 0)
        .withInt(DefaultDriverOption.NETTY_IO_SIZE, 1)
        .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
        .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
        .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0);
  }
}
