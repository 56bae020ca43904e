package io.sluice.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.tls.TestCertificates;
import io.sluice.tls.Tls;
import io.sluice.tls.TlsCause;
import io.sluice.tls.TlsConfig;
import io.sluice.tls.TlsConfig.HostCheck;
import io.sluice.tls.TlsConfig.TlsKeys;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the meters of TLS. */
class TlsMetersTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @TempDir private Path folder;

  private double counter(String name, String... tags) {
    return registry.get(name).tags(tags).functionCounter().count();
  }

  @Test
  void every_cause_of_a_failed_handshake_has_a_meter_at_zero() {
    TlsMeters.register(registry, Tls.off(TlsConfig.Side.NODE));
    assertThat(registry.get("sluice.tls.handshake.failures").tag("side", "node").meters())
        .extracting(meter -> meter.getId().getTag("cause"))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(TlsCause.values()).map(TlsCause::tag).toList());
    assertThat(registry.get("sluice.tls.handshake.failures").functionCounters())
        .allMatch(each -> each.count() == 0);
    assertThat(counter("sluice.tls.handshakes", "side", "node")).isZero();
    assertThat(counter("sluice.tls.reloads", "outcome", "loaded")).isZero();
    assertThat(counter("sluice.tls.reloads", "outcome", "refused")).isZero();
  }

  @Test
  void handshakes_are_counted_by_side_and_failed_ones_by_cause() {
    Tls clients = Tls.off(TlsConfig.Side.CLIENT);
    TlsMeters.register(registry, clients);
    TlsMeters.register(registry, Tls.off(TlsConfig.Side.NODE));
    clients.handshakeSucceeded();
    clients.handshakeSucceeded();
    clients.handshakeFailed(new ClosedChannelException());
    assertThat(counter("sluice.tls.handshakes", "side", "client")).isEqualTo(2);
    assertThat(counter("sluice.tls.handshakes", "side", "node")).isZero();
    String failures = "sluice.tls.handshake.failures";
    assertThat(counter(failures, "side", "client", "cause", TlsCause.CLOSED.tag())).isEqualTo(1);
    assertThat(counter(failures, "side", "client", "cause", TlsCause.TIMEOUT.tag())).isZero();
  }

  @Test
  void a_side_without_a_certificate_has_no_expiry() {
    TlsMeters.register(registry, Tls.off(TlsConfig.Side.CLIENT));
    assertThat(registry.get("sluice.tls.certificate.expiry.seconds").gauge().value()).isNaN();
  }

  @Test
  void a_side_with_a_certificate_shows_when_it_expires() throws Exception {
    TestCertificates authority = new TestCertificates();
    TlsKeys keys = TestCertificates.write(folder, "node", authority.issue());
    try (Tls tls =
        Tls.load(
            TestCertificates.nodes(keys, authority.writeAuthority(folder), HostCheck.ADDRESS))) {
      TlsMeters.register(registry, tls);
      assertThat(registry.get("sluice.tls.certificate.expiry.seconds").gauge().value())
          .isEqualTo((double) Objects.requireNonNull(tls.notAfter()).getEpochSecond())
          .isPositive();
    }
  }
}
