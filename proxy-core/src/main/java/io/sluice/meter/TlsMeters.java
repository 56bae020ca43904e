package io.sluice.meter;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.tls.Tls;
import io.sluice.tls.TlsCause;
import java.time.Instant;
import java.util.Locale;

/** Meters of TLS: handshakes, the causes of failed handshakes, and certificates. */
public final class TlsMeters {

  private static final String SIDE = "side";

  private TlsMeters() {}

  /** Registers the meters of one side. Without TLS they stay at 0, and there is no expiry. */
  public static void register(MeterRegistry registry, Tls tls) {
    String side = tls.side().name().toLowerCase(Locale.ROOT);
    FunctionCounter.builder("sluice.tls.handshakes", tls, Tls::handshakes)
        .description("TLS handshakes that succeeded, by side")
        .tag(SIDE, side)
        .register(registry);
    for (TlsCause cause : TlsCause.values()) {
      FunctionCounter.builder("sluice.tls.handshake.failures", tls, t -> t.failures(cause))
          .description("TLS handshakes that failed, by side and cause")
          .tags(SIDE, side, "cause", cause.tag())
          .register(registry);
    }
    reloads(registry, tls, side, true);
    reloads(registry, tls, side, false);
    Gauge.builder("sluice.tls.certificate.expiry.seconds", tls, TlsMeters::expiry)
        .description("When the certificate of this side expires, since 1970; NaN without one")
        .tag(SIDE, side)
        .strongReference(true)
        .register(registry);
  }

  private static void reloads(MeterRegistry registry, Tls tls, String side, boolean usable) {
    FunctionCounter.builder("sluice.tls.reloads", tls, t -> t.reloads(usable))
        .description("Changed certificate files, by whether they could be used")
        .tags(SIDE, side, "outcome", usable ? "loaded" : "refused")
        .register(registry);
  }

  private static double expiry(Tls tls) {
    Instant end = tls.notAfter();
    return end == null ? Double.NaN : end.getEpochSecond();
  }
}
