package io.sluice.watch;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.internal.core.time.ServerSideTimestampGenerator;
import java.time.Duration;

/** The settings of the driver as the control plane. */
final class DriverSettings {

  private DriverSettings() {}

  static DriverConfigLoader loader() {
    return DriverConfigLoader.programmaticBuilder()
        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(5))
        .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, Duration.ofSeconds(5))
        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofSeconds(5))
        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, Duration.ofSeconds(5))
        .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, Duration.ofSeconds(10))
        .withDuration(DefaultDriverOption.HEARTBEAT_INTERVAL, Duration.ofSeconds(5))
        .withDuration(DefaultDriverOption.HEARTBEAT_TIMEOUT, Duration.ofSeconds(3))
        .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(200))
        .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(3))
        .withDuration(DefaultDriverOption.METADATA_TOPOLOGY_WINDOW, Duration.ofMillis(100))
        .withBoolean(DefaultDriverOption.CONTROL_CONNECTION_AGREEMENT_WARN, false)
        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_AGREEMENT_TIMEOUT, Duration.ZERO)
        // The clocks of proxies are not compared; a heartbeat has a time of its own.
        .withClass(
            DefaultDriverOption.TIMESTAMP_GENERATOR_CLASS, ServerSideTimestampGenerator.class)
        .withInt(DefaultDriverOption.NETTY_IO_SIZE, 1)
        .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
        .withBoolean(DefaultDriverOption.NETTY_DAEMON, true)
        .withString(DefaultDriverOption.PROTOCOL_COMPRESSION, "none")
        .build();
  }
}
