package io.sluice.console;

import io.sluice.accept.ClientFacts;
import io.sluice.decide.predict.Densities;
import io.sluice.wire.ColumnType;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tables {@code clients}, {@code settings}, {@code estimates} and {@code proxies}. Pure. */
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
          .column("since", ColumnType.TIMESTAMP, ClientFacts::since);

  static final TableShape<Setting> SETTINGS =
      TableShape.<Setting>named("settings", "settings of this proxy")
          .partition("key", ColumnType.VARCHAR, Setting::key)
          .column("default_value", ColumnType.VARCHAR, Setting::defaultValue)
          .column("source", ColumnType.VARCHAR, Setting::source)
          .column("value", ColumnType.VARCHAR, Setting::value);

  static final TableShape<Densities.Counted> ESTIMATES =
      TableShape.<Densities.Counted>named(
              "estimates", "partitions of tables that were scanned, as nodes have counted them")
          .partition("keyspace_name", ColumnType.VARCHAR, fact -> fact.table().keyspace())
          .clustering("table_name", ColumnType.VARCHAR, fact -> fact.table().name())
          .column(
              "mean_partition_bytes",
              ColumnType.BIGINT,
              fact -> Math.round(fact.meanPartitionBytes()))
          .column("partitions", ColumnType.BIGINT, fact -> Math.round(fact.partitions()));

  /** A proxy of the cluster. */
  record ProxyFact(InetSocketAddress address, boolean self) {}

  static final TableShape<ProxyFact> PROXIES =
      TableShape.<ProxyFact>named("proxies", "proxies of this cluster, as clients reach them")
          .partition("proxy", ColumnType.VARCHAR, fact -> text(fact.address()))
          .column("self", ColumnType.BOOLEAN, ProxyFact::self);

  private static String text(InetSocketAddress address) {
    return address.getHostString() + ":" + address.getPort();
  }

  /**
   * The proxies that clients are told of.
   *
   * @param advertised the address that clients are told to connect to; null for {@code used}
   * @param used the one that the asking client has used; null when it has used none
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
