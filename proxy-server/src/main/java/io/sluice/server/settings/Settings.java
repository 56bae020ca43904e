package io.sluice.server.settings;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.sluice.ProxyConfig;
import io.sluice.audit.AuditConfig;
import io.sluice.console.ConsoleConfig;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.exchange.NodeAgentConfig;
import io.sluice.setting.Requirements;
import io.sluice.usage.SlowLogConfig;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration file, section by section. {@code reference.yml} explains each key.
 *
 * @param drainTimeout maximum time for requests in flight after SIGTERM; 0 or more
 */
public record Settings(
    CqlSettings cql,
    ClusterSettings cluster,
    SchedulingConfig scheduling,
    SplitConfig split,
    NodeAgentConfig nodeAgent,
    @Nullable Duration requestTimeout,
    int ioThreads,
    int preparedStatements,
    long preparedStatementsBytes,
    ConsoleConfig console,
    List<Rule> rules,
    SlowLogConfig slowLog,
    AuditConfig audit,
    TracingSettings tracing,
    AdminSettings admin,
    Duration drainTimeout,
    @JsonProperty(access = JsonProperty.Access.WRITE_ONLY) LogSettings logging) {

  public Settings {
    Requirements.of("")
        .atLeast("drainTimeout", drainTimeout, Duration.ZERO)
        .that(
            admin.port() == 0 || admin.port() != cql.port(),
            "admin.port",
            admin.port(),
            "must differ from cql.port",
            "choose another one")
        .check();
  }

  /** Returns the defaults of all keys. They are those of the core where it has them. */
  static Settings defaults() {
    ProxyConfig core = coreDefaults();
    return new Settings(
        CqlSettings.defaults(),
        ClusterSettings.defaults(),
        core.scheduling(),
        core.split(),
        core.nodeAgent(),
        core.requestTimeout(),
        core.ioThreads(),
        core.preparedStatements(),
        core.preparedStatementsBytes(),
        core.console(),
        core.rules(),
        core.slowLog(),
        core.audit(),
        TracingSettings.defaults(),
        AdminSettings.defaults(),
        Duration.ofSeconds(30),
        new LogSettings());
  }

  private static ProxyConfig coreDefaults() {
    InetSocketAddress anyNode = InetSocketAddress.createUnresolved("localhost", 9042);
    ClusterSettings any = ClusterSettings.defaults();
    return ProxyConfig.of(
        CqlSettings.defaults().listen(),
        new ClusterSettings(
                List.of(anyNode), "any", null, any.agreementTimeout(), null, any.tls(), any.links())
            .config());
  }

  /** Returns the addresses whose hosts were looked up when the settings were read. */
  List<InetSocketAddress> addresses() {
    List<InetSocketAddress> addresses = new ArrayList<>(cluster.contactPoints());
    addresses.addAll(cql.addresses());
    return addresses;
  }

  /**
   * Returns the settings of the core.
   *
   * @throws io.sluice.setting.RefusedSettings when values are out of range
   */
  public ProxyConfig proxyConfig() {
    return new ProxyConfig(
        cql.listen(),
        cluster.config(),
        cluster.links(),
        scheduling,
        split,
        nodeAgent,
        cql.fleet(),
        requestTimeout,
        ioThreads,
        preparedStatements,
        preparedStatementsBytes,
        console,
        rules,
        slowLog,
        audit);
  }
}
