package io.sluice.server;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** The meters of the process: its build, and whether it is ready. */
final class ProcessMeters {

  private ProcessMeters() {}

  static void register(MeterRegistry registry, Readiness readiness) {
    Gauge.builder("sluice.ready", readiness, now -> now.notReady() == null ? 1 : 0)
        .description("1 while requests can be served, as /readyz says")
        .strongReference(true)
        .register(registry);
    Gauge.builder("sluice.build.info", () -> 1)
        .description("The version of this build and of the running Java; always 1")
        .tags("version", Resources.version(), "java", Runtime.version().toString())
        .register(registry);
  }
}
