package io.sluice.console;

import io.sluice.accept.ClientFacts;
import io.sluice.console.HostView.Configuration;
import io.sluice.console.HostView.LogLine;
import io.sluice.console.HostView.Setting;
import io.sluice.decide.classify.StatementText;
import io.sluice.fleet.FleetConfig;
import io.sluice.link.LinkFacts;
import io.sluice.ring.Node;
import io.sluice.statement.PreparedCache.PreparedFacts;
import io.sluice.usage.LaneUsage;
import io.sluice.usage.StatementFacts;
import io.sluice.wire.ColumnType;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tables {@code clients}, {@code settings}, {@code configuration}, {@code proxies}, {@code
 * log}, {@code links} and {@code prepared}. Stateless.
 */
final class ProcessTables {

  private ProcessTables() {}

  static final TableShape<ClientFacts> CLIENTS =
      TableShape.<ClientFacts>named("clients", "connections of clients")
          .partition("address", ColumnType.INET, fact -> fact.address().getAddress())
          .clustering("port", ColumnType.INT, fact -> fact.address().getPort())
          .column("application", ColumnType.VARCHAR, fact -> fact.driver().application())
          .column("compression", ColumnType.VARCHAR, ClientFacts::compression)
          .column("driver_name", ColumnType.VARCHAR, fact -> fact.driver().name())
          .column("driver_version", ColumnType.VARCHAR, fact -> fact.driver().version())
          .column("held_bytes", ColumnType.BIGINT, ClientFacts::heldBytes)
          .column("id", ColumnType.BIGINT, ClientFacts::id)
          .column("in_flight", ColumnType.INT, ClientFacts::underWay)
          .column("keyspace_name", ColumnType.VARCHAR, ClientFacts::keyspace)
          .column("protocol_version", ColumnType.INT, ClientFacts::protocol)
          .column("role", ColumnType.VARCHAR, ClientFacts::role)
          .column("since", ColumnType.TIMESTAMP, ClientFacts::since)
          .column("tls", ColumnType.VARCHAR, ProcessTables::tls)
          .column("tls_cipher", ColumnType.VARCHAR, ProcessTables::cipher)
          .column("unread_bytes", ColumnType.BIGINT, ClientFacts::unreadBytes);

  private static String tls(ClientFacts fact) {
    return fact.tls() == null ? "none" : fact.tls().version();
  }

  private static @Nullable String cipher(ClientFacts fact) {
    return fact.tls() == null ? null : fact.tls().cipher();
  }

  static final TableShape<Setting> SETTINGS =
      TableShape.<Setting>named("settings", "settings of this proxy; UPDATE changes live ones")
          .partition(SettingChange.KEY, ColumnType.VARCHAR, Setting::key)
          .column("after_restart", ColumnType.VARCHAR, Setting::afterRestart)
          .column("changed_by", ColumnType.VARCHAR, Setting::changedBy)
          .column("changes", ColumnType.VARCHAR, fact -> text(fact.changes()))
          .column("default_value", ColumnType.VARCHAR, Setting::defaultValue)
          .column("source", ColumnType.VARCHAR, fact -> text(fact.source()))
          .column(SettingChange.VALUE, ColumnType.VARCHAR, Setting::value);

  static final TableShape<Configuration> CONFIGURATION =
      TableShape.<Configuration>named(
              "configuration", "the configuration file; UPDATE of state to 'reload' reads it again")
          .partition("file", ColumnType.VARCHAR, Configuration::file)
          .column("changed", ColumnType.VARCHAR, Configuration::changed)
          .column("error", ColumnType.VARCHAR, Configuration::error)
          .column("pending", ColumnType.VARCHAR, Configuration::pending)
          .column("read_at", ColumnType.TIMESTAMP, Configuration::readAt)
          .column("read_for", ColumnType.VARCHAR, Configuration::readFor)
          .column("refused", ColumnType.BIGINT, Configuration::refused)
          .column("reloads", ColumnType.BIGINT, Configuration::reloads)
          .column("since", ColumnType.TIMESTAMP, Configuration::since)
          .column(ConfigurationChange.STATE, ColumnType.VARCHAR, fact -> text(fact.state()));

  static final TableShape<LogLine> LOG =
      TableShape.<LogLine>named("log", "the last warnings and errors of this proxy's log")
          .partition("line", ColumnType.BIGINT, LogLine::number)
          .column("level", ColumnType.VARCHAR, LogLine::level)
          .column("source", ColumnType.VARCHAR, LogLine::source)
          .column("text", ColumnType.VARCHAR, LogLine::text)
          .column("time", ColumnType.TIMESTAMP, LogLine::time);

  /** A link with its number and the time when it was opened. */
  record LinkFact(int number, LinkFacts link, @Nullable Instant since) {}

  static final TableShape<LinkFact> LINKS =
      TableShape.<LinkFact>named("links", "connections to nodes, each used by one thread")
          .partition("node", ColumnType.VARCHAR, fact -> Node.text(fact.link().node()))
          .clustering("link", ColumnType.INT, LinkFact::number)
          .column("in_flight", ColumnType.INT, fact -> fact.link().inFlight())
          .column("keyspace_name", ColumnType.VARCHAR, fact -> fact.link().keyspace())
          .column("lane", ColumnType.INT, fact -> fact.link().lane())
          .column("protocol_version", ColumnType.INT, fact -> fact.link().protocol())
          .column("role", ColumnType.VARCHAR, fact -> fact.link().role())
          .column("since", ColumnType.TIMESTAMP, LinkFact::since)
          .column("state", ColumnType.VARCHAR, fact -> text(fact.link().state()));

  /** Returns the links of the role of {@code asker}; all links for an operator. */
  static List<LinkFact> links(List<LinkFacts> all, Asker asker, Instant now) {
    List<LinkFact> seen = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      LinkFacts link = all.get(i);
      if (asker.sees(link.role())) {
        Instant since = link.openNanos() < 0 ? null : now.minusNanos(link.openNanos());
        seen.add(new LinkFact(i, link, since));
      }
    }
    return seen;
  }

  /** A prepared statement, with the number of its counted calls. */
  record PreparedFact(PreparedFacts prepared, long calls) {}

  static final TableShape<PreparedFact> PREPARED =
      TableShape.<PreparedFact>named("prepared", "statements that clients have prepared")
          .partition("id", ColumnType.VARCHAR, fact -> fact.prepared().id().toString())
          .column("calls", ColumnType.BIGINT, PreparedFact::calls)
          .column("digest", ColumnType.VARCHAR, fact -> digest(fact.prepared().digest()))
          .column("keyspace_name", ColumnType.VARCHAR, fact -> fact.prepared().keyspace())
          .column("text", ColumnType.VARCHAR, ProcessTables::text);

  /** Returns a constant as columns show it. */
  static String text(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static String text(PreparedFact fact) {
    return StatementText.shown(fact.prepared().cql(), LaneUsage.MAX_TEXT);
  }

  /** Formats a digest for operators. */
  static String digest(long digest) {
    return "%016x".formatted(digest);
  }

  /** Combines prepared statements with the counted calls of the same texts. */
  static List<PreparedFact> prepared(List<PreparedFacts> all, List<StatementFacts> counted) {
    Map<Long, Long> calls =
        counted.stream()
            .collect(
                Collectors.groupingBy(
                    StatementFacts::digest, Collectors.summingLong(each -> each.cost().calls())));
    return all.stream()
        .map(each -> new PreparedFact(each, calls.getOrDefault(each.digest(), 0L)))
        .toList();
  }

  /** A proxy of the cluster. */
  record ProxyFact(InetSocketAddress address, boolean self) {}

  static final TableShape<ProxyFact> PROXIES =
      TableShape.<ProxyFact>named("proxies", "proxies of this cluster, as clients reach them")
          .partition("proxy", ColumnType.VARCHAR, fact -> FleetConfig.text(fact.address()))
          .column("self", ColumnType.BOOLEAN, ProxyFact::self);

  /**
   * Returns the proxies that clients are told about.
   *
   * @param advertised the address that clients are told to connect to; null for {@code used}
   * @param used the address to which the client is connected; null for none
   */
  static List<ProxyFact> proxies(
      @Nullable InetSocketAddress advertised,
      @Nullable InetSocketAddress used,
      List<InetSocketAddress> peers) {
    InetSocketAddress self = advertised == null ? used : advertised;
    List<ProxyFact> proxies = new ArrayList<>();
    if (self != null) {
      proxies.add(new ProxyFact(self, true));
    }
    peers.stream()
        .filter(peer -> !peer.equals(self))
        .forEach(peer -> proxies.add(new ProxyFact(peer, false)));
    return proxies;
  }
}
