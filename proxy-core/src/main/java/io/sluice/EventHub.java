package io.sluice;

import io.sluice.accept.Client;
import io.sluice.fleet.PeerWatch.PeerChange;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.SchemaChange;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sends events to the clients that registered for them. Safe for any thread. */
final class EventHub {

  private static final String SCHEMA_CHANGE = "SCHEMA_CHANGE";
  private static final String STATUS_CHANGE = "STATUS_CHANGE";
  private static final String TOPOLOGY_CHANGE = "TOPOLOGY_CHANGE";
  private static final String GRACEFUL_DISCONNECT = "GRACEFUL_DISCONNECT";

  private final Set<Client> registered = ConcurrentHashMap.newKeySet();

  void registered(Client client) {
    registered.add(client);
  }

  void gone(Client client) {
    registered.remove(client);
  }

  void schemaChanged(SchemaChange change) {
    toAll(SCHEMA_CHANGE, client -> CqlCodec.schemaChange(client.version(), change));
  }

  /**
   * Sends STATUS_CHANGE DOWN for this proxy, so that drivers use other hosts. Skips clients that
   * registered for GRACEFUL_DISCONNECT.
   *
   * @param advertised the address of this proxy for clients; null for the address that each has
   *     used
   */
  void goingDown(@Nullable InetSocketAddress advertised) {
    for (Client client : registered) {
      if (client.events().contains(STATUS_CHANGE)
          && !client.events().contains(GRACEFUL_DISCONNECT)) {
        client.push(
            CqlCodec.statusChange(
                client.version(), false, advertised == null ? client.connectedTo() : advertised));
      }
    }
  }

  /** Sends TOPOLOGY_CHANGE, and UP for new proxies, after other proxies have joined or left. */
  void changed(PeerChange change) {
    change.joined().forEach(peer -> tellTopology(true, peer));
    change.joined().forEach(peer -> tellUp(peer));
    change.left().forEach(peer -> tellTopology(false, peer));
  }

  private void tellTopology(boolean joined, InetSocketAddress peer) {
    toAll(TOPOLOGY_CHANGE, client -> CqlCodec.topologyChange(client.version(), joined, peer));
  }

  private void tellUp(InetSocketAddress peer) {
    toAll(STATUS_CHANGE, client -> CqlCodec.statusChange(client.version(), true, peer));
  }

  private void toAll(String type, Function<Client, Frame> event) {
    for (Client client : registered) {
      if (client.events().contains(type)) {
        client.push(event.apply(client));
      }
    }
  }
}
