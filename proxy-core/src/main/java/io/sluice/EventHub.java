package io.sluice;

import io.sluice.accept.Client;
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
   * Says that this proxy goes down, so that clients turn to others.
   *
   * @param advertised the address that clients know it by; null for the one that each has used
   */
  void goingDown(@Nullable InetSocketAddress advertised) {
    toAll(
        STATUS_CHANGE,
        client ->
            CqlCodec.statusChange(
                client.version(), false, advertised == null ? client.connectedTo() : advertised));
  }

  private void toAll(String type, Function<Client, Frame> event) {
    for (Client client : registered) {
      if (client.events().contains(type)) {
        client.push(event.apply(client));
      }
    }
  }
}
