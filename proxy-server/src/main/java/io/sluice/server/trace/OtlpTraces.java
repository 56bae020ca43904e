package io.sluice.server.trace;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.sluice.time.NanoClock;
import io.sluice.time.Repeated;
import io.sluice.time.SystemTime;
import io.sluice.trace.Tracer;
import io.sluice.trace.Tracer.TracedRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends traces of requests to a collector, by OTLP over HTTP. Lanes only put ended requests into a
 * bounded queue. A thread converts them to spans and sends them. If the queue is full or the
 * collector fails, traces are dropped and counted. Safe for any thread.
 */
public final class OtlpTraces implements Tracer, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OtlpTraces.class);

  /** The SDK's own logger, which would repeat each failure. */
  private static final java.util.logging.Logger SDK =
      java.util.logging.Logger.getLogger("io.opentelemetry");

  /** Maximum number of requests that wait to be sent. */
  static final int MAX_WAITING = 1_000;

  /** Approximate number of spans per call of the collector. */
  private static final int BATCH = 512;

  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final long WARN_EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Maximum time for the last call at the end of the process. */
  private static final long CLOSE_TIMEOUT_MILLIS = 2_000;

  private final OtlpSettings settings;
  private final NanoClock clock;
  private final TraceRate rate;
  private final BlockingQueue<Ended> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
  private final Spans spans;
  private final SpanExporter exporter;
  private final Counter sent;
  private final Counter failed;
  private final Counter leftOut;
  private final Repeated sending;
  private boolean failing;
  private long lastWarningNanos;

  /** An ended request, with the trace to which it belongs. */
  private record Ended(TracedRequest request, Context parent) {}

  private OtlpTraces(
      OtlpSettings settings, SpanExporter exporter, MeterRegistry registry, String version) {
    this.settings = settings;
    this.clock = new SystemTime();
    this.rate = new TraceRate(settings.tracesPerSecond(), clock);
    this.spans = new Spans(version);
    this.exporter = exporter;
    this.sent = counter(registry, "sent");
    this.failed = counter(registry, "failed");
    this.leftOut = counter(registry, "left_out");
    this.sending = Repeated.begin("traces", PAUSE, PAUSE, this::sendWaiting);
  }

  /**
   * Starts to trace.
   *
   * @return null when {@code settings} have no endpoint
   */
  public static @Nullable OtlpTraces open(
      OtlpSettings settings, MeterRegistry registry, String version) {
    String endpoint = settings.endpoint();
    if (endpoint == null) {
      return null;
    }
    SDK.setLevel(Level.OFF);
    SpanExporter exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(endpoint)
            .setTimeout(settings.timeout())
            .setConnectTimeout(settings.timeout())
            .setRetryPolicy(null)
            .build();
    return new OtlpTraces(settings, exporter, registry, version);
  }

  private static Counter counter(MeterRegistry registry, String outcome) {
    return Counter.builder("sluice.traces")
        .description(
            "Requests selected for tracing: sent to the collector, failed there, or left out"
                + " because there were too many")
        .tag("outcome", outcome)
        .register(registry);
  }

  @Override
  public @Nullable Sink begin(@Nullable String traceparent) {
    Context parent = traceparent == null ? Context.root() : parent(traceparent);
    SpanContext from = Span.fromContext(parent).getSpanContext();
    boolean sampled = from.isValid() ? from.isSampled() : isInSample();
    if (!sampled) {
      return null;
    }
    if (!rate.take()) {
      leftOut.increment();
      return null;
    }
    return request -> {
      if (!waiting.offer(new Ended(request, parent))) {
        leftOut.increment();
      }
    };
  }

  private boolean isInSample() {
    double sampling = settings.sampling();
    return sampling > 0 && ThreadLocalRandom.current().nextDouble() < sampling;
  }

  /** Returns the client's trace; the root when the client sends no valid one. */
  private static Context parent(String traceparent) {
    return W3CTraceContextPropagator.getInstance()
        .extract(Context.root(), traceparent, Header.INSTANCE);
  }

  /** A carrier of one header. */
  private enum Header implements TextMapGetter<String> {
    INSTANCE;

    @Override
    public @Nullable String get(@Nullable String carrier, String key) {
      return key.equals("traceparent") ? carrier : null;
    }
  }

  private void sendWaiting() {
    sendWaiting(settings.timeout().toMillis());
  }

  private synchronized void sendWaiting(long timeoutMillis) {
    Instant now = new SystemTime().now();
    long epoch = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - clock.nanoTime();
    int requests = 0;
    for (Ended next = waiting.poll(); next != null; next = waiting.poll()) {
      spans.make(next.request(), next.parent(), epoch);
      requests++;
      if (spans.size() >= BATCH) {
        send(requests, timeoutMillis);
        requests = 0;
      }
    }
    if (requests > 0) {
      send(requests, timeoutMillis);
    }
  }

  private void send(int requests, long timeoutMillis) {
    CompletableResultCode done =
        exporter.export(spans.take()).join(timeoutMillis, TimeUnit.MILLISECONDS);
    if (done.isSuccess()) {
      sent.increment(requests);
      logRecovery();
    } else {
      failed.increment(requests);
      logFailure(done.getFailureThrowable());
    }
  }

  private void logRecovery() {
    if (failing) {
      failing = false;
      LOG.info("The collector {} accepts traces again", settings.endpoint());
    }
  }

  /** Logs a failure at most once a minute, even if the collector keeps failing and recovering. */
  private void logFailure(@Nullable Throwable cause) {
    long now = clock.nanoTime();
    boolean first = !failing && lastWarningNanos == 0;
    failing = true;
    if (first || now - lastWarningNanos >= WARN_EVERY_NANOS) {
      lastWarningNanos = now;
      LOG.warn(
          "The traces of {} requests have been lost so far: the collector {}"
              + " (tracing.otlp.endpoint) does not"
              + " accept them{}",
          (long) failed.count(),
          settings.endpoint(),
          cause == null ? "" : ": " + cause);
    }
  }

  /** Sends what is queued, for at most two seconds, and ends. */
  @Override
  public void close() {
    sending.close();
    sendWaiting(CLOSE_TIMEOUT_MILLIS);
    exporter.shutdown();
    spans.close();
  }
}
