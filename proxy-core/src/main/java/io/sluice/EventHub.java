package io.sluice;

import io.sluice.accept.Client;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.SchemaChange;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Brings events to the clients that registered for them. Safe for any thread. */
public final class EventHub {

  private static final String SCHEMA_CHANGE = "SCHEMA_CHANGE";

  private final Set<Client> registered = ConcurrentHashMap.newKeySet();

  void registered(Client client) {
    if (client.events().contains(SCHEMA_CHANGE)) {
      registered.add(client);
    }
  }

  void gone(Client client) {
    registered.remove(client);
  }

  void schemaChanged(SchemaChange change) {
    registered.forEach(client -> client.push(CqlCodec.schemaChange(client.version(), change)));
  }
}
