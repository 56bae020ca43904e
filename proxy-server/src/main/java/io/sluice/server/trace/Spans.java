package io.sluice.server.trace;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.sluice.trace.Tracer.TracedRequest;
import io.sluice.trace.Tracer.TracedRequest.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Converts ended requests to spans. Attributes have the names of OpenTelemetry's conventions for
 * databases, where these exist. Not safe for several threads.
 */
final class Spans implements AutoCloseable {

  private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("db.system.name");
  private static final AttributeKey<String> KEYSPACE = AttributeKey.stringKey("db.namespace");
  private static final AttributeKey<String> TABLE = AttributeKey.stringKey("db.collection.name");
  private static final AttributeKey<String> TEXT = AttributeKey.stringKey("db.query.text");
  private static final AttributeKey<Long> ROWS = AttributeKey.longKey("db.response.returned_rows");
  private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
  private static final AttributeKey<String> CLIENT = AttributeKey.stringKey("client.address");
  private static final AttributeKey<String> SERVER = AttributeKey.stringKey("server.address");
  private static final AttributeKey<Long> PORT = AttributeKey.longKey("server.port");
  private static final AttributeKey<String> ROLE = AttributeKey.stringKey("sluice.role");
  private static final AttributeKey<Long> BYTES = AttributeKey.longKey("sluice.bytes");
  private static final AttributeKey<String> RANGE = AttributeKey.stringKey("sluice.range");
  private static final AttributeKey<String> NOTE = AttributeKey.stringKey("sluice.note");
  private static final AttributeKey<Long> LEFT_OUT =
      AttributeKey.longKey("sluice.requests.left_out");

  private final List<SpanData> spans = new ArrayList<>();
  private final SdkTracerProvider provider;
  private final Tracer tracer;

  /** Creates spans of a process of this version. */
  Spans(String version) {
    Resource process =
        Resource.create(
            Attributes.of(
                AttributeKey.stringKey("service.name"),
                "sluice",
                AttributeKey.stringKey("service.version"),
                version));
    this.provider =
        SdkTracerProvider.builder()
            .setResource(Resource.getDefault().merge(process))
            .setSampler(Sampler.alwaysOn())
            .addSpanProcessor(new Kept())
            .build();
    this.tracer = provider.get("io.sluice", version);
  }

  /** Collects ended spans. */
  private final class Kept implements SpanProcessor {

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {}

    @Override
    public boolean isStartRequired() {
      return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {
      spans.add(span.toSpanData());
    }

    @Override
    public boolean isEndRequired() {
      return true;
    }
  }

  /** Returns the spans since the last call. */
  List<SpanData> take() {
    List<SpanData> taken = List.copyOf(spans);
    spans.clear();
    return taken;
  }

  /** Returns the number of collected spans. */
  int size() {
    return spans.size();
  }

  /**
   * Converts a request.
   *
   * @param parent the client's trace; the root if there is none
   * @param epoch the offset from the process's clock to the time since 1970, in ns
   */
  void make(TracedRequest request, Context parent, long epoch) {
    SpanBuilder builder = builder(name(request), parent, SpanKind.SERVER);
    Span root = at(builder, epoch + request.arrivalNanos());
    root.setAllAttributes(attributes(request));
    if (request.error() != null) {
      root.setStatus(StatusCode.ERROR, request.error());
    }
    Context within = parent.with(root);
    long merging = request.endNanos();
    for (Step step : request.steps()) {
      if (step.sentNanos() - step.queuedNanos() > 0) {
        Span queue = at(builder("queue", within, SpanKind.INTERNAL), epoch + step.queuedNanos());
        queue.setAttribute(RANGE, step.range());
        end(queue, epoch + step.sentNanos());
      }
      Span sent = at(builder(step.name(), within, SpanKind.CLIENT), epoch + step.sentNanos());
      sent.setAllAttributes(attributes(step));
      end(sent, epoch + step.endNanos());
      if (step.piece()) {
        merging = Math.min(merging, step.endNanos());
      }
    }
    if (request.steps().stream().anyMatch(Step::piece)) {
      Span merge = at(builder("merge", within, SpanKind.INTERNAL), epoch + merging);
      end(merge, epoch + request.endNanos());
    }
    end(root, epoch + request.endNanos());
  }

  private SpanBuilder builder(String name, Context parent, SpanKind kind) {
    return tracer.spanBuilder(name).setParent(parent).setSpanKind(kind);
  }

  private static Span at(SpanBuilder builder, long start) {
    return builder.setStartTimestamp(start, TimeUnit.NANOSECONDS).startSpan();
  }

  private static void end(Span span, long end) {
    span.end(end, TimeUnit.NANOSECONDS);
  }

  private static String name(TracedRequest request) {
    boolean known = request.keyspace() != null && request.table() != null;
    return request.shape() + (known ? " " + request.keyspace() + "." + request.table() : "");
  }

  private static Attributes attributes(TracedRequest request) {
    AttributesBuilder all = Attributes.builder().put(SYSTEM, "cassandra");
    put(all, KEYSPACE, request.keyspace());
    put(all, TABLE, request.table());
    put(all, TEXT, request.text());
    put(all, ERROR, request.error());
    put(all, ROLE, request.role());
    put(all, CLIENT, request.client());
    all.put(ROWS, (long) request.rows()).put(BYTES, (long) request.bytes());
    if (request.stepsLeftOut() > 0) {
      all.put(LEFT_OUT, (long) request.stepsLeftOut());
    }
    return all.build();
  }

  private static Attributes attributes(Step step) {
    AttributesBuilder all = Attributes.builder().put(SYSTEM, "cassandra");
    String node = step.node();
    int colon = node == null ? -1 : node.lastIndexOf(':');
    if (node != null && colon > 0) {
      all.put(SERVER, node.substring(0, colon));
      all.put(PORT, Long.parseLong(node.substring(colon + 1)));
    }
    put(all, RANGE, step.range().isEmpty() ? null : step.range());
    put(all, NOTE, step.note().isEmpty() ? null : step.note());
    return all.put(ROWS, step.rows()).put(BYTES, step.bytes()).build();
  }

  private static void put(AttributesBuilder to, AttributeKey<String> key, @Nullable String value) {
    if (value != null) {
      to.put(key, value);
    }
  }

  @Override
  public void close() {
    provider.close();
  }
}
