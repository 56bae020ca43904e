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
import io.sluice.trace.TracedRequest;
import io.sluice.trace.Tracer;
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
 * Traces of requests, sent to a collector by OTLP over HTTP. Lanes only put a request that has
 * ended into a queue of bounded length; a thread makes spans of it and sends them. What finds no
 * room, or no collector, is lost and counted. Safe for any thread.
 */
public final class OtlpTraces implements Tracer, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OtlpTraces.class);

  /** The SDK has a log of its own, in which each failure would be told once more. */
  private static final java.util.logging.Logger SDK =
      java.util.logging.Logger.getLogger("io.opentelemetry");

  /** Requests that wait to be sent. */
  static final int MOST_WAITING = 1_000;

  /** Spans of one call of the collector, about. */
  private static final int BATCH = 512;

  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** At the end of the process a collector that hangs holds it up for no longer. */
  private static final long LAST_MILLIS = 2_000;

  private final OtlpSettings settings;
  private final NanoClock clock;
  private final TraceRate rate;
  private final BlockingQueue<Ended> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final Spans spans;
  private final SpanExporter exporter;
  private final Counter sent;
  private final Counter failed;
  private final Counter leftOut;
  private final Repeated sending;
  private boolean failing;
  private long toldNanos;

  /** A request that has ended, and the trace that it belongs to. */
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
   * Begins to trace.
   *
   * @return null when {@code settings} name no endpoint
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
            "Requests that were to be traced: sent to the collector, failed there, or left out"
                + " because there were too many")
        .tag("outcome", outcome)
        .register(registry);
  }

  @Override
  public @Nullable Sink begin(@Nullable String traceparent) {
    Context parent = traceparent == null ? Context.root() : parent(traceparent);
    SpanContext from = Span.fromContext(parent).getSpanContext();
    boolean wanted = from.isValid() ? from.isSampled() : isChosen();
    if (!wanted) {
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

  private boolean isChosen() {
    double sampling = settings.sampling();
    return sampling > 0 && ThreadLocalRandom.current().nextDouble() < sampling;
  }

  /** The trace that a client names; the root when it names none that can be one. */
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

  private synchronized void sendWaiting(long atMostMillis) {
    Instant now = new SystemTime().now();
    long epoch = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - clock.nanoTime();
    int requests = 0;
    for (Ended next = waiting.poll(); next != null; next = waiting.poll()) {
      spans.make(next.request(), next.parent(), epoch);
      requests++;
      if (spans.size() >= BATCH) {
        send(requests, atMostMillis);
        requests = 0;
      }
    }
    if (requests > 0) {
      send(requests, atMostMillis);
    }
  }

  private void send(int requests, long atMostMillis) {
    CompletableResultCode done =
        exporter.export(spans.take()).join(atMostMillis, TimeUnit.MILLISECONDS);
    if (done.isSuccess()) {
      sent.increment(requests);
      tellOfSuccess();
    } else {
      failed.increment(requests);
      tellOfFailure(done.getFailureThrowable());
    }
  }

  private void tellOfSuccess() {
    if (failing) {
      failing = false;
      LOG.info("The collector {} takes traces again", settings.endpoint());
    }
  }

  /** One that comes and goes is told of once a minute, too. */
  private void tellOfFailure(@Nullable Throwable cause) {
    long now = clock.nanoTime();
    boolean first = !failing && toldNanos == 0;
    failing = true;
    if (first || now - toldNanos >= QUIET_NANOS) {
      toldNanos = now;
      LOG.warn(
          "Traces of {} requests are lost so far: the collector {} (tracing.otlp.endpoint) does not"
              + " take them{}",
          (long) failed.count(),
          settings.endpoint(),
          cause == null ? "" : ": " + cause);
    }
  }

  /** Sends what waits, for two seconds at most, and ends. */
  @Override
  public void close() {
    sending.close();
    sendWaiting(LAST_MILLIS);
    exporter.shutdown();
    spans.close();
  }
}
