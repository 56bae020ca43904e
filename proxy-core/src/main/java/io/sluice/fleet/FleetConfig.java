package io.sluice.fleet;

import io.sluice.setting.Requirements;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a proxy among others.
 *
 * @param advertise the address that clients are told to connect to; null for the one they used
 * @param peers the other proxies of this cluster, as clients can reach them; an unresolved address
 *     is a name that stands for any number of them, and is looked up again and again
 * @param keyspace whether the proxies of the data centre find each other by their heartbeats in the
 *     keyspace {@code sluice}, beside {@code peers}
 * @param homes whether the range reads of each node wait at one of those proxies, its home
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

  /** Range reads wait at the proxy where their client is. */
  public FleetConfig(
      @Nullable InetSocketAddress advertise, List<InetSocketAddress> peers, boolean keyspace) {
    this(advertise, peers, keyspace, false);
  }

  /** A proxy that knows of no other. */
  public static FleetConfig alone() {
    return new FleetConfig(null, List.of(), false);
  }

  /** The other proxies that are known from the beginning. */
  public List<InetSocketAddress> given() {
    return peers.stream().filter(peer -> !peer.isUnresolved()).toList();
  }
}
