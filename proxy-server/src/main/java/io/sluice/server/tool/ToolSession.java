package io.sluice.server.tool;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.internal.core.loadbalancing.DcInferringLoadBalancingPolicy;
import java.time.Duration;

/** Opens sessions of the Java driver for commands that send a few queries and end. Stateless. */
final class ToolSession {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private ToolSession() {}

  /**
   * Returns a builder of a session without contact points.
   *
   * @param application the name in the server's list of clients
   */
  static CqlSessionBuilder builder(String application) {
    return CqlSession.builder()
        .withConfigLoader(settings(application))
        .withApplicationName(application);
  }

  static DriverConfigLoader settings(String application) {
    return DriverConfigLoader.programmaticBuilder()
        .withClass(
            DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, DcInferringLoadBalancingPolicy.class)
        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, TIMEOUT)
        .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
        .withBoolean(DefaultDriverOption.METADATA_TOKEN_MAP_ENABLED, false)
        .withString(DefaultDriverOption.SESSION_NAME, application.replace(' ', '-'))
        // No request is sent while the session closes, so the driver need not wait two seconds for
        // some.
        .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
        .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
        .build();
  }
}
