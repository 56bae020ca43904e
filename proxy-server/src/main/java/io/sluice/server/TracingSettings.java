package io.sluice.server;

import io.sluice.server.trace.OtlpSettings;

/**
 * The section {@code tracing}.
 *
 * @param otlp where traces go, and of which requests there are any
 */
record TracingSettings(OtlpSettings otlp) {

  static TracingSettings defaults() {
    return new TracingSettings(OtlpSettings.off());
  }
}
