package io.sluice.meter;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.accept.ClientListener;
import io.sluice.accept.Disconnect;
import io.sluice.accept.DriverFamily;
import java.util.Locale;

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
    for (DriverFamily each : DriverFamily.values()) {
      Gauge.builder("sluice.client.drivers", listener, l -> l.drivers(each))
          .description("Client connections that are logged in, by the name that the driver sends")
          .tag("driver", each.tag())
          .strongReference(true)
          .register(registry);
    }
    for (Disconnect why : Disconnect.values()) {
      FunctionCounter.builder("sluice.client.disconnects", listener, l -> l.disconnects(why))
          .description("Client connections that the proxy closed or refused, by reason")
          .tag("reason", why.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
  }
}
