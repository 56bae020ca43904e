package io.sluice.server.trace;

import io.sluice.setting.Requirements;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code tracing.otlp}.
 *
 * @param endpoint where a collector takes traces: OTLP over HTTP, with its path; null to trace
 *     nothing
 * @param sampling the share of requests that are traced, of those whose clients say nothing of a
 *     trace; 0 to 1
 * @param tracesPerSecond requests that are traced at most; 1 to 10,000
 * @param timeout for each call of the collector; 100 ms to a minute
 */
public record OtlpSettings(
    @Nullable String endpoint, double sampling, int tracesPerSecond, Duration timeout) {

  private static final int MOST_TRACES = 10_000;
  private static final Duration LEAST_TIMEOUT = Duration.ofMillis(100);
  private static final Duration MOST_TIMEOUT = Duration.ofMinutes(1);

  public OtlpSettings {
    Requirements.of("tracing.otlp")
        .that(
            endpoint == null || isHttp(endpoint),
            "endpoint",
            String.valueOf(endpoint),
            "must be an address of HTTP",
            "write http://host:4318/v1/traces")
        .that(sampling >= 0 && sampling <= 1, "sampling", sampling, "must be 0 to 1")
        .that(
            tracesPerSecond >= 1 && tracesPerSecond <= MOST_TRACES,
            "tracesPerSecond",
            tracesPerSecond,
            "must be 1 to " + MOST_TRACES)
        .atLeast("timeout", timeout, LEAST_TIMEOUT)
        .that(timeout.compareTo(MOST_TIMEOUT) <= 0, "timeout", timeout, "must be a minute at most")
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

  /** Nothing is traced. */
  public static OtlpSettings off() {
    return new OtlpSettings(null, 0.01, 100, Duration.ofSeconds(10));
  }
}
