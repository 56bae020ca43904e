package io.sluice.server.settings;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/** The meters of reloads. */
public final class ReloadMeters {

  private static final double MILLIS_PER_SECOND = 1_000;

  private ReloadMeters() {}

  /** Registers the meters of these reloads. */
  public static void register(MeterRegistry registry, Reloads reloads) {
    count(registry, reloads, "refused", of -> of.state().refused());
    count(registry, reloads, "unchanged", Reloads::unchanged);
    count(
        registry,
        reloads,
        "applied",
        of -> of.state().reloads() - of.state().refused() - of.unchanged());
    Gauge.builder(
            "sluice.configuration.last.reload.successful",
            reloads,
            of -> of.state().error() == null ? 1 : 0)
        .description("1 if the last reload of the configuration file was accepted, else 0")
        .register(registry);
    Gauge.builder(
            "sluice.configuration.timestamp.seconds",
            reloads,
            of -> of.state().since().toEpochMilli() / MILLIS_PER_SECOND)
        .description("Unix time at which the configuration in effect was read")
        .register(registry);
    Gauge.builder("sluice.configuration.pending.keys", reloads, Reloads::pending)
        .description("Keys of the configuration file whose values take effect after a restart")
        .register(registry);
  }

  private static void count(
      MeterRegistry registry, Reloads reloads, String result, ToDoubleFunction<Reloads> of) {
    FunctionCounter.builder("sluice.configuration.reloads", reloads, of)
        .description("Reloads of the configuration file, by result")
        .tag("result", result)
        .register(registry);
  }
}
