package io.sluice;

import io.sluice.accept.ListenConfig;
import io.sluice.audit.AuditConfig;
import io.sluice.console.ConsoleConfig;
import io.sluice.console.LiveConfig;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.rule.Rules;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.exchange.ExchangeConfig;
import io.sluice.exchange.NodeAgentConfig;
import io.sluice.fleet.FleetConfig;
import io.sluice.link.LinkConfig;
import io.sluice.setting.Requirements;
import io.sluice.tls.TlsConfig;
import io.sluice.usage.SlowLogConfig;
import io.sluice.watch.ClusterConfig;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All settings of a proxy, by room.
 *
 * @param cql the listener for clients
 * @param cluster the cluster to serve
 * @param links the connections to nodes
 * @param scheduling the scheduler
 * @param split the splitting of range reads
 * @param nodeAgent the hints for agents in nodes
 * @param fleet the other proxies of this cluster
 * @param requestTimeout the timeout of writes and other short requests, and of reads without their
 *     own; null to derive it from the configuration of the nodes. TRUNCATE and schema changes may
 *     take longer
 * @param ioThreads the number of event loops; 0 for one per core
 * @param preparedStatements the most prepared statements to keep; a client prepares an evicted one
 *     again
 * @param preparedStatementsBytes the approximate memory for prepared statements and those of their
 *     pieces, in bytes; at least 1 MiB
 * @param console the roles that may read and change {@code system_proxy}
 * @param rules the operator's rules; the first that matches a request applies
 * @param slowLog the statements to write to the slow log
 * @param audit the events to write to the audit log
 */
public record ProxyConfig(
    ListenConfig cql,
    ClusterConfig cluster,
    LinkConfig links,
    SchedulingConfig scheduling,
    SplitConfig split,
    NodeAgentConfig nodeAgent,
    FleetConfig fleet,
    @Nullable Duration requestTimeout,
    int ioThreads,
    int preparedStatements,
    long preparedStatementsBytes,
    ConsoleConfig console,
    List<Rule> rules,
    SlowLogConfig slowLog,
    AuditConfig audit) {

  private static final Duration MIN_TIMEOUT = Duration.ofMillis(100);

  public ProxyConfig {
    rules = List.copyOf(rules);
    Rules.check(rules);
    Requirements.of("")
        .atLeast(
            "requestTimeout", requestTimeout == null ? MIN_TIMEOUT : requestTimeout, MIN_TIMEOUT)
        .atLeast("ioThreads", ioThreads, 0)
        .atLeast("preparedStatements", preparedStatements, 1)
        .atLeast("preparedStatementsBytes", preparedStatementsBytes, 1 << 20)
        .that(
            !fleet.homes() || cql.tls().mode() == TlsConfig.Mode.OFF,
            "cql.homes",
            true,
            "needs cql.tls.mode: off: proxies send each other pieces without TLS",
            "leave cql.homes out")
        .check();
  }

  /** Returns the settings that may change while the proxy runs. */
  public LiveConfig live() {
    return new LiveConfig(exchange(), console.roles(), rules, slowLog, audit);
  }

  /** Returns the settings that apply to requests in flight. */
  ExchangeConfig exchange() {
    return new ExchangeConfig(
        requestTimeout,
        scheduling,
        links.connectTimeout(),
        nodeAgent.hints(),
        fleet.advertise(),
        fleet.given());
  }

  /** Returns these settings with another split. */
  public ProxyConfig withSplit(SplitConfig other) {
    return with(links, other, rules, fleet);
  }

  /** Returns these settings with other links. */
  public ProxyConfig withLinks(LinkConfig other) {
    return with(other, split, rules, fleet);
  }

  /** Returns these settings with other rules. */
  public ProxyConfig withRules(List<Rule> other) {
    return with(links, split, other, fleet);
  }

  /** Returns these settings with another fleet. */
  public ProxyConfig withFleet(FleetConfig other) {
    return with(links, split, rules, other);
  }

  private ProxyConfig with(
      LinkConfig links, SplitConfig split, List<Rule> rules, FleetConfig fleet) {
    return new ProxyConfig(
        cql,
        cluster,
        links,
        scheduling,
        split,
        nodeAgent,
        fleet,
        requestTimeout,
        ioThreads,
        preparedStatements,
        preparedStatementsBytes,
        console,
        rules,
        slowLog,
        audit);
  }

  /** Returns the default settings for a listener and a cluster. */
  public static ProxyConfig of(ListenConfig cql, ClusterConfig cluster) {
    return new ProxyConfig(
        cql,
        cluster,
        LinkConfig.defaults(),
        SchedulingConfig.defaults(),
        SplitConfig.defaults(),
        NodeAgentConfig.defaults(),
        FleetConfig.alone(),
        null,
        0,
        10_000,
        64 << 20,
        ConsoleConfig.defaults(),
        List.of(),
        SlowLogConfig.off(),
        AuditConfig.off());
  }
}
