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
 * Everything that can be set, room by room.
 *
 * @param cql where clients connect
 * @param cluster which cluster is served
 * @param links how its nodes are connected to
 * @param scheduling what is held back, and in which order
 * @param split how range reads are cut
 * @param nodeAgent what Sluice's agents in nodes are told
 * @param fleet the other proxies of this cluster
 * @param requestTimeout how long a write or another short request may take until it is answered
 *     with an error, and a read as far as its own time-out is not set; null for what the nodes are
 *     configured to. TRUNCATE and schema changes may take longer
 * @param ioThreads threads that move bytes; 0 for one a core
 * @param preparedStatements how many prepared statements are remembered; a forgotten one is
 *     prepared again by its client
 * @param preparedStatementsBytes memory for them and for the statements of their pieces, about, in
 *     bytes; at least 1 MiB
 * @param console the roles that may see and change what is in {@code system_proxy}
 * @param rules what is allowed to whom; the first one that matches a request holds
 * @param slowLog which statements are written to the slow log
 * @param audit which events are written to the audit log
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

  private static final Duration LEAST_TIMEOUT = Duration.ofMillis(100);

  public ProxyConfig {
    rules = List.copyOf(rules);
    Rules.check(rules);
    Requirements.of("")
        .atLeast(
            "requestTimeout",
            requestTimeout == null ? LEAST_TIMEOUT : requestTimeout,
            LEAST_TIMEOUT)
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

  /** The settings that may change while the proxy runs. */
  public LiveConfig live() {
    return new LiveConfig(exchange(), console.roles(), rules, slowLog, audit);
  }

  /** What of it a request under way is subject to. */
  ExchangeConfig exchange() {
    return new ExchangeConfig(
        requestTimeout,
        scheduling,
        links.connectTimeout(),
        nodeAgent.hints(),
        fleet.advertise(),
        fleet.given());
  }

  /** The same with range reads cut in another way. */
  public ProxyConfig withSplit(SplitConfig other) {
    return with(links, other, rules, fleet);
  }

  /** The same with nodes connected to in another way. */
  public ProxyConfig withLinks(LinkConfig other) {
    return with(other, split, rules, fleet);
  }

  /** The same with other rules. */
  public ProxyConfig withRules(List<Rule> other) {
    return with(links, split, other, fleet);
  }

  /** The same among other proxies. */
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

  /** The defaults around these two. */
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
        32 << 20,
        ConsoleConfig.defaults(),
        List.of(),
        SlowLogConfig.off(),
        AuditConfig.off());
  }
}
