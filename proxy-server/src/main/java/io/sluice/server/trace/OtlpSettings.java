package io.sluice.server.trace;

import io.sluice.setting.Requirements;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code tracing.otlp}.
 *
 * @param endpoint the address of a collector: OTLP over HTTP, with its path; null for no traces
 * @param sampling the share of traced requests among those without a trace of their client; 0 to 1
 * @param tracesPerSecond maximum number of traced requests; 1 to 10,000
 * @param timeout timeout of each call of the collector; 100 ms to a minute
 */
public record OtlpSettings(
    @Nullable String endpoint, double sampling, int tracesPerSecond, Duration timeout) {

  private static final int MAX_TRACES = 10_000;
  private static final Duration MIN_TIMEOUT = Duration.ofMillis(100);
  private static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);

  public OtlpSettings {
    Requirements.of("tracing.otlp")
        .that(
            endpoint == null || isHttp(endpoint),
            "endpoint",
            String.valueOf(endpoint),
            "must be an HTTP URL",
            "write http://host:4318/v1/traces")
        .that(sampling >= 0 && sampling <= 1, "sampling", sampling, "must be 0 to 1")
        .that(
            tracesPerSecond >= 1 && tracesPerSecond <= MAX_TRACES,
            "tracesPerSecond",
            tracesPerSecond,
            "must be 1 to " + MAX_TRACES)
        .atLeast("timeout", timeout, MIN_TIMEOUT)
        .that(timeout.compareTo(MAX_TIMEOUT) <= 0, "timeout", timeout, "must be at most 1m")
        .check();
  }

  private static boolean isHttp(String endpoint) {
    try {
      URI uri = new URI(endpoint);
      return ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
          && uri.getHost() != null;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /** Returns settings without traces. */
  public static OtlpSettings off() {
    return new OtlpSettings(null, 0.01, 100, Duration.ofSeconds(10));
  }
}
