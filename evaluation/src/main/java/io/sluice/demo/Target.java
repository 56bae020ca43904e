package io.sluice.demo;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * A CQL endpoint to measure. All targets get the same driver settings, except the contact points.
 *
 * @param name name in the report
 * @param contactPoints the driver's contact points
 * @param datacenter the driver's local data centre
 */
record Target(String name, List<InetSocketAddress> contactPoints, String datacenter) {
  static final String CASSANDRA = "cassandra";
  static final String SLUICE = "sluice";

  /** The driver's request timeout. */
  static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** Opens a session whose pages are large enough for every LIMIT of the mix. */
  CqlSession open(Mix mix) {
    DriverConfigLoader settings =
        DriverConfigLoader.programmaticBuilder()
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, TIMEOUT)
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, TIMEOUT)
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, TIMEOUT)
            .withInt(DefaultDriverOption.REQUEST_PAGE_SIZE, Math.max(5000, mix.maxLimit()))
            .withInt(DefaultDriverOption.CONNECTION_MAX_REQUESTS, Math.max(1024, mix.clients()))
            .withInt(DefaultDriverOption.NETTY_IO_SIZE, 2)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
            // No request is sent while a session closes, so the driver need not wait two seconds
            // for some.
            .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
            .build();
    return CqlSession.builder()
        .addContactPoints(contactPoints)
        .withLocalDatacenter(datacenter)
        .withConfigLoader(settings)
        .build();
  }
}
