package io.sluice.accept;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.time.TestLane;
import io.sluice.tls.TlsConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which new connections are closed, and for which reason. */
class ConnectionAdmissionTest {

  private static final int MAX = 4;
  private static final int PER_SECOND = 1;

  private final TestLane lane = new TestLane();
  private final FaultLog faults = new FaultLog(lane);
  private final List<EmbeddedChannel> channels = new ArrayList<>();

  @AfterEach
  void close() {
    channels.forEach(EmbeddedChannel::finishAndReleaseAll);
  }

  private ConnectionAdmission limits(int most, int perSecond) {
    ListenConfig config =
        new ListenConfig(
            "h",
            0,
            most,
            1 << 20,
            4,
            1 << 20,
            Duration.ofSeconds(10),
            50,
            perSecond,
            TlsConfig.off(TlsConfig.Side.CLIENT),
            List.of(),
            null);
    return new ConnectionAdmission(config, faults, lane);
  }

  private boolean connects(ConnectionAdmission admission, String origin) {
    EmbeddedChannel channel = new EmbeddedChannel();
    channels.add(channel);
    boolean admitted = admission.admit(channel, origin) != null;
    assertThat(channel.isActive()).isEqualTo(admitted);
    return admitted;
  }

  @Test
  void a_connection_keeps_its_place_until_it_is_closed() {
    ConnectionAdmission admission = limits(MAX, 0);
    assertThat(connects(admission, "a")).isTrue();
    assertThat(connects(admission, "a")).isTrue();
    assertThat(connects(admission, "a")).as("half of the places").isFalse();
    assertThat(faults.count(Disconnect.PLACES)).isEqualTo(1);
    channels.get(0).close();
    assertThat(connects(admission, "a")).isTrue();
    assertThat(faults.count(Disconnect.RATE)).isZero();
  }

  @Test
  void an_address_that_connects_too_often_gets_no_place() {
    ConnectionAdmission admission = limits(100, PER_SECOND);
    for (int i = 0; i < ConnectionRate.BURST_SECONDS * PER_SECOND; i++) {
      assertThat(connects(admission, "a")).isTrue();
    }
    assertThat(connects(admission, "a")).isFalse();
    assertThat(connects(admission, "b")).isTrue();
    assertThat(faults.count(Disconnect.RATE)).isEqualTo(1);
    assertThat(faults.count(Disconnect.PLACES)).isZero();
    lane.pass(1_000);
    assertThat(connects(admission, "a")).isTrue();
  }
}
