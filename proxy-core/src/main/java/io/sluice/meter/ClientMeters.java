package io.sluice.meter;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.accept.ClientListener;

/**
 * Meters of clients: their drivers, the memory that they use, and the reasons why connections are
 * closed.
 */
final class ClientMeters {

  private ClientMeters() {}

  static void register(MeterRegistry registry, ClientListener listener) {
    Gauge.builder("sluice.client.held.bytes", listener, ClientListener::heldBytes)
        .description(
            "Memory of requests in flight, buffered and unread responses, and incomplete frames"
                + " of all clients"
                + " and nodes")
        .strongReference(true)
        .register(registry);
    listener
        .drivers()
        .forEach(
            (family, clients) ->
                Gauge.builder("sluice.client.drivers", clients::getAsInt)
                    .description(
                        "Client connections that are logged in, by the name that the driver sends")
                    .tag("driver", family)
                    .strongReference(true)
                    .register(registry));
    listener
        .disconnects()
        .forEach(
            (reason, clients) ->
                FunctionCounter.builder(
                        "sluice.client.disconnects", listener, l -> clients.getAsLong())
                    .description("Client connections that the proxy closed or refused, by reason")
                    .tag("reason", reason)
                    .register(registry));
  }
}
