package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.memory.MemoryBudget;
import io.sluice.time.TestLane;
import io.sluice.tls.TlsCause;
import org.junit.jupiter.api.Test;

/** Tests the memory of handshakes, for which the budget of these tests has four places. */
class TlsHandshakesTest {

  private static final long BYTES = TlsHandshakes.HANDSHAKE_BYTES;

  private final FaultLog faults = new FaultLog(new TestLane());
  private final MemoryBudget memory = new MemoryBudget(8 * 4 * BYTES);
  private final TlsHandshakes handshakes = new TlsHandshakes(memory, faults);
  private final EmbeddedChannel channel = new EmbeddedChannel();

  private TlsHandshakes.Handshake begun(String origin) {
    TlsHandshakes.Handshake handshake = handshakes.of(channel, origin);
    assertThat(handshake.begins()).isTrue();
    return handshake;
  }

  @Test
  void a_handshake_holds_memory_from_its_begin_to_the_login() {
    TlsHandshakes.Handshake handshake = handshakes.of(channel, "a");
    assertThat(memory.used()).isZero();
    handshake.begins();
    assertThat(memory.used()).isEqualTo(BYTES);
    handshake.secured();
    assertThat(memory.used()).as("the client has not logged in").isEqualTo(BYTES);
    handshake.over();
    handshake.over();
    assertThat(memory.used()).isZero();
  }

  @Test
  void a_closed_connection_holds_no_memory() {
    begun("a");
    channel.close();
    assertThat(memory.used()).isZero();
  }

  @Test
  void one_address_gets_half_of_the_places_until_a_handshake_is_over() {
    TlsHandshakes.Handshake first = begun("a");
    begun("a");
    assertThat(handshakes.of(channel, "a").begins()).isFalse();
    assertThat(faults.count(Disconnect.MEMORY)).isEqualTo(1);
    assertThat(memory.used()).isEqualTo(2 * BYTES);
    first.over();
    begun("a");
    begun("b");
  }

  @Test
  void a_failed_handshake_is_counted_unless_the_client_only_closed_the_connection() {
    begun("a").failed(TlsCause.CLOSED, "closed");
    assertThat(faults.count(Disconnect.TLS)).isZero();
    begun("a").failed(TlsCause.OTHER, "no common version");
    assertThat(faults.count(Disconnect.TLS)).isEqualTo(1);
    assertThat(memory.used()).isZero();
  }
}
