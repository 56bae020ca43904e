package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.time.TestLane;
import io.sluice.wire.ProtocolError;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** Tests how many refused frames end a connection. */
class RequestFaultsTest {

  private final ProtocolError broken = ProtocolError.of(0, "broken");

  private final TestLane lane = new TestLane();
  private final FaultLog log = new FaultLog(lane);
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final Farewell farewell = new Farewell(channel, lane, log, () -> {});
  private final RequestFaults faults =
      new RequestFaults(log, InetSocketAddress.createUnresolved("app", 1), farewell);

  private void refuse(int times, ProtocolError error) {
    for (int i = 0; i < times; i++) {
      faults.refused(error);
    }
  }

  @Test
  void the_tenth_refused_frame_in_a_row_ends_the_connection() {
    refuse(9, broken);
    assertThat(farewell.begun()).isFalse();
    refuse(1, broken);
    assertThat(farewell.begun()).isTrue();
    assertThat(log.count(Disconnect.PROTOCOL)).isEqualTo(1);
  }

  @Test
  void a_request_that_is_served_between_them_ends_the_row() {
    refuse(9, broken);
    faults.served();
    refuse(9, broken);
    assertThat(farewell.begun()).isFalse();
  }

  @Test
  void a_valid_frame_with_an_invalid_statement_is_no_broken_frame() {
    refuse(20, ProtocolError.invalid(0, "no such table"));
    assertThat(farewell.begun()).isFalse();
  }

  @Test
  void a_failure_of_the_proxy_is_not_the_clients_fault() {
    for (int i = 0; i < 20; i++) {
      faults.failed(new IllegalStateException("a fault of the test"));
    }
    assertThat(farewell.begun()).isFalse();
  }
}
