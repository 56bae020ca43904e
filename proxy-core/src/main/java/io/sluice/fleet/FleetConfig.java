package io.sluice.fleet;

import io.sluice.setting.Requirements;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a proxy that belongs to a fleet.
 *
 * @param advertise the address that clients are told to connect to; null for the address that the
 *     client used
 * @param peers the other proxies of this cluster, as clients reach them. An unresolved address is a
 *     name for any number of proxies, which is looked up periodically
 * @param keyspace whether the proxies of the data centre also find each other by their heartbeats
 *     in the keyspace {@code sluice}
 * @param homes whether the range reads of each node wait at that node's home proxy
 */
public record FleetConfig(
    @Nullable InetSocketAddress advertise,
    List<InetSocketAddress> peers,
    boolean keyspace,
    boolean homes) {

  public FleetConfig {
    peers = List.copyOf(peers);
    Requirements.of("cql")
        .that(
            (peers.isEmpty() && !keyspace) || advertise != null,
            "advertise",
            "nothing",
            "must be set where cql.peers is: every proxy has to give the same answer",
            "write the address at which clients reach this proxy")
        .that(
            keyspace || !homes,
            "homes",
            true,
            "needs cql.peers: keyspace, by which proxies find each other",
            "add keyspace to cql.peers, or leave homes out")
        .check();
  }

  /** Creates settings with which range reads wait at the client's own proxy. */
  public FleetConfig(
      @Nullable InetSocketAddress advertise, List<InetSocketAddress> peers, boolean keyspace) {
    this(advertise, peers, keyspace, false);
  }

  /** Returns the settings of a proxy that knows no other proxy. */
  public static FleetConfig alone() {
    return new FleetConfig(null, List.of(), false);
  }

  /** Returns the address of a proxy in the form host:port. */
  public static String text(InetSocketAddress proxy) {
    return proxy.getHostString() + ":" + proxy.getPort();
  }

  /** Returns the other proxies whose addresses are configured, without names. */
  public List<InetSocketAddress> given() {
    return peers.stream().filter(peer -> !peer.isUnresolved()).toList();
  }
}
