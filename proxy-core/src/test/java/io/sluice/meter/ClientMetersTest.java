package io.sluice.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.accept.ClientListener;
import io.sluice.accept.ListenConfig;
import io.sluice.memory.MemoryBudget;
import io.sluice.tls.Tls;
import io.sluice.tls.TlsConfig;
import io.sluice.wire.EventLoops;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the meters of clients, with a port that a client connects to. */
class ClientMetersTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final MemoryBudget memory = new MemoryBudget(1 << 20);
  private final EventLoops loops = new EventLoops(1);
  private final ClientListener listener;

  ClientMetersTest() throws IOException {
    listener =
        new ClientListener(
            ListenConfig.on("127.0.0.1", 0),
            Tls.off(TlsConfig.Side.CLIENT),
            loops,
            memory,
            Map.of());
    ClientMeters.register(registry, listener);
  }

  @AfterEach
  void close() {
    listener.close();
    loops.close();
  }

  private List<String> tags(String name, String tag) {
    return registry.get(name).meters().stream()
        .map(Meter::getId)
        .map(id -> String.valueOf(id.getTag(tag)))
        .toList();
  }

  private double disconnects(String reason) {
    return registry
        .get("sluice.client.disconnects")
        .tag("reason", reason)
        .functionCounter()
        .count();
  }

  @Test
  void each_driver_and_each_reason_has_a_meter_at_zero() {
    assertThat(tags("sluice.client.drivers", "driver"))
        .contains("java")
        .containsExactlyInAnyOrderElementsOf(listener.drivers().keySet());
    assertThat(registry.get("sluice.client.drivers").gauges())
        .allSatisfy(each -> assertThat(each.value()).isZero());
    assertThat(tags("sluice.client.disconnects", "reason"))
        .contains("protocol")
        .containsExactlyInAnyOrderElementsOf(listener.disconnects().keySet());
    assertThat(registry.get("sluice.client.disconnects").functionCounters())
        .allSatisfy(each -> assertThat(each.count()).isZero());
  }

  @Test
  void the_memory_of_all_clients_is_that_of_the_budget() {
    memory.count().accept(5_000);
    assertThat(registry.get("sluice.client.held.bytes").gauge().value()).isEqualTo(5_000);
  }

  @Test
  void a_closed_connection_counts_under_its_reason_only() throws IOException {
    try (Socket browser = new Socket()) {
      browser.connect(listener.address());
      browser.getOutputStream().write("GET / HTTP/1.1".getBytes(StandardCharsets.US_ASCII));
      assertThat(browser.getInputStream().readAllBytes()).isNotNull();
    }
    assertThat(disconnects("protocol")).isOne();
    assertThat(disconnects("tls")).isZero();
  }
}
