package io.sluice.server;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.internal.core.loadbalancing.DcInferringLoadBalancingPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A session of the Java driver for a command that asks a few questions and ends. */
final class ToolSession {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private ToolSession() {}

  /**
   * A session without contact points yet.
   *
   * @param application as the server shows its clients
   * @param username the role; null for none. Its password is taken from SLUICE_PASSWORD
   */
  static CqlSessionBuilder builder(String application, @Nullable String username) {
    CqlSessionBuilder builder =
        CqlSession.builder()
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withClass(
                        DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS,
                        DcInferringLoadBalancingPolicy.class)
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, TIMEOUT)
                    .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
                    .withBoolean(DefaultDriverOption.METADATA_TOKEN_MAP_ENABLED, false)
                    .withString(DefaultDriverOption.SESSION_NAME, application.replace(' ', '-'))
                    .build())
            .withApplicationName(application);
    String password = System.getenv("SLUICE_PASSWORD");
    if (username != null) {
      builder.withAuthCredentials(username, password == null ? "" : password);
    }
    return builder;
  }
}
