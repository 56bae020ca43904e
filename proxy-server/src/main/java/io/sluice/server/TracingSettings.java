package io.sluice.server;

import io.sluice.server.trace.OtlpSettings;

/**
 * The section {@code tracing}.
 *
 * @param otlp the collector and the selection of traced requests
 */
record TracingSettings(OtlpSettings otlp) {

  static TracingSettings defaults() {
    return new TracingSettings(OtlpSettings.off());
  }
}
