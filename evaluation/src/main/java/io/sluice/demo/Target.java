package io.sluice.demo;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * Something that speaks CQL. All targets get the same driver settings but the contact points.
 *
 * @param name how the report calls it
 * @param contactPoints where the driver connects first
 * @param datacenter the driver's local data centre
 */
record Target(String name, List<InetSocketAddress> contactPoints, String datacenter) {
  static final String CASSANDRA = "cassandra";
  static final String SLUICE = "sluice";

  /** How long a client waits for one answer. */
  static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Opens a session whose pages are large enough for every LIMIT of the mix. */
  CqlSession open(Mix mix) {
    DriverConfigLoader settings =
        DriverConfigLoader.programmaticBuilder()
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, PATIENCE)
            .withInt(DefaultDriverOption.REQUEST_PAGE_SIZE, Math.max(5000, mix.maxLimit()))
            .withInt(DefaultDriverOption.CONNECTION_MAX_REQUESTS, Math.max(1024, mix.clients()))
            .withInt(DefaultDriverOption.NETTY_IO_SIZE, 2)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
            // A session that is being closed gets no requests: it need not wait two seconds for
            // them.
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
