package io.sluice;

import io.sluice.accept.ListenConfig;
import io.sluice.console.ConsoleConfig;
import io.sluice.console.LiveConfig;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.rule.Rules;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.exchange.ExchangeConfig;
import io.sluice.exchange.NodeAgentConfig;
import io.sluice.link.LinkConfig;
import io.sluice.setting.Requirements;
import io.sluice.watch.ClusterConfig;
import java.net.InetSocketAddress;
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
 * @param advertise the address that clients are told to connect to; null for the one they used
 * @param peers the other proxies of this cluster, as clients can reach them; an unresolved address
 *     is a name that stands for any number of them, and is looked up again and again
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
 */
public record ProxyConfig(
    ListenConfig cql,
    ClusterConfig cluster,
    LinkConfig links,
    SchedulingConfig scheduling,
    SplitConfig split,
    NodeAgentConfig nodeAgent,
    @Nullable InetSocketAddress advertise,
    List<InetSocketAddress> peers,
    @Nullable Duration requestTimeout,
    int ioThreads,
    int preparedStatements,
    long preparedStatementsBytes,
    ConsoleConfig console,
    List<Rule> rules) {

  private static final Duration LEAST_TIMEOUT = Duration.ofMillis(100);

  /** Without rules. */
  public ProxyConfig(
      ListenConfig cql,
      ClusterConfig cluster,
      LinkConfig links,
      SchedulingConfig scheduling,
      SplitConfig split,
      NodeAgentConfig nodeAgent,
      @Nullable InetSocketAddress advertise,
      List<InetSocketAddress> peers,
      @Nullable Duration requestTimeout,
      int ioThreads,
      int preparedStatements,
      long preparedStatementsBytes,
      ConsoleConfig console) {
    this(
        cql,
        cluster,
        links,
        scheduling,
        split,
        nodeAgent,
        advertise,
        peers,
        requestTimeout,
        ioThreads,
        preparedStatements,
        preparedStatementsBytes,
        console,
        List.of());
  }

  public ProxyConfig {
    peers = List.copyOf(peers);
    rules = List.copyOf(rules);
    Rules.check(rules);
    Requirements.of("")
        .atLeast(
            "requestTimeout",
            requestTimeout == null ? LEAST_TIMEOUT : requestTimeout,
            LEAST_TIMEOUT)
        .that(
            peers.isEmpty() || advertise != null,
            "cql.advertise",
            "nothing",
            "must be set where cql.peers is: every proxy has to give the same answer",
            "write the address at which clients reach this proxy")
        .atLeast("ioThreads", ioThreads, 0)
        .atLeast("preparedStatements", preparedStatements, 1)
        .atLeast("preparedStatementsBytes", preparedStatementsBytes, 1 << 20)
        .check();
  }

  /** The settings that may change while the proxy runs. */
  public LiveConfig live() {
    return new LiveConfig(exchange(), console.roles(), rules);
  }

  /** What of it a request under way is subject to. */
  ExchangeConfig exchange() {
    return new ExchangeConfig(
        requestTimeout,
        scheduling,
        links.connectTimeout(),
        nodeAgent.hints(),
        advertise,
        peers.stream().filter(peer -> !peer.isUnresolved()).toList());
  }

  /** The same with range reads cut in another way. */
  public ProxyConfig withSplit(SplitConfig other) {
    return new ProxyConfig(
        cql,
        cluster,
        links,
        scheduling,
        other,
        nodeAgent,
        advertise,
        peers,
        requestTimeout,
        ioThreads,
        preparedStatements,
        preparedStatementsBytes,
        console,
        rules);
  }

  /** The same with nodes connected to in another way. */
  public ProxyConfig withLinks(LinkConfig other) {
    return new ProxyConfig(
        cql,
        cluster,
        other,
        scheduling,
        split,
        nodeAgent,
        advertise,
        peers,
        requestTimeout,
        ioThreads,
        preparedStatements,
        preparedStatementsBytes,
        console,
        rules);
  }

  /** The same with other rules. */
  public ProxyConfig withRules(List<Rule> other) {
    return new ProxyConfig(
        cql,
        cluster,
        links,
        scheduling,
        split,
        nodeAgent,
        advertise,
        peers,
        requestTimeout,
        ioThreads,
        preparedStatements,
        preparedStatementsBytes,
        console,
        other);
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
        null,
        List.of(),
        null,
        0,
        10_000,
        32 << 20,
        ConsoleConfig.defaults());
  }
}
