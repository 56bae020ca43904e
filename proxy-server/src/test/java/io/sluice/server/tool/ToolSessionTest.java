package io.sluice.server.tool;

import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD;
import static com.datastax.oss.driver.api.core.config.DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import org.junit.jupiter.api.Test;

/** Tests that the session of a command closes at once. The driver usually waits two seconds. */
class ToolSessionTest {

  @Test
  void the_session_closes_without_a_quiet_period() {
    try (DriverConfigLoader loader = ToolSession.settings("sluice top")) {
      DriverExecutionProfile settings = loader.getInitialConfig().getDefaultProfile();
      assertThat(settings.getInt(NETTY_IO_SHUTDOWN_QUIET_PERIOD)).isZero();
      assertThat(settings.getInt(NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD)).isZero();
    }
  }
}
