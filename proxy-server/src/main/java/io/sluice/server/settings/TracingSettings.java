package io.sluice.server.settings;

import io.sluice.server.trace.OtlpSettings;

/**
 * The section {@code tracing}.
 *
 * @param otlp the collector and the selection of traced requests
 */
public record TracingSettings(OtlpSettings otlp) {

  static TracingSettings defaults() {
    return new TracingSettings(OtlpSettings.off());
  }
}
