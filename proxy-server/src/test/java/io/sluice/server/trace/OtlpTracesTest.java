package io.sluice.server.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.testkit.CapturedLog;
import io.sluice.testkit.FreePorts;
import io.sluice.testkit.TraceCollector;
import io.sluice.testkit.TraceCollector.Span;
import io.sluice.trace.Tracer;
import io.sluice.trace.Tracer.TracedRequest;
import io.sluice.trace.Tracer.TracedRequest.Step;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Traces for a collector that is up, is down, or hangs. */
class OtlpTracesTest {

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String CLIENT = "00f067aa0ba902b7";
  private static final String SAMPLED = "00-" + TRACE + "-" + CLIENT + "-01";
  private static final long MS = 1_000_000;

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private TraceCollector collector;
  private @Nullable OtlpTraces traces;

  @BeforeEach
  void listen() throws IOException {
    collector = TraceCollector.start();
  }

  @AfterEach
  void close() {
    collector.before(() -> {});
    if (traces != null) {
      traces.close();
    }
    collector.close();
  }

  private OtlpTraces tracing(String endpoint, double sampling, int perSecond) {
    OtlpTraces opened =
        Objects.requireNonNull(
            OtlpTraces.open(
                new OtlpSettings(endpoint, sampling, perSecond, Duration.ofSeconds(20)),
                meters,
                "1.2"));
    traces = opened;
    return opened;
  }

  private OtlpTraces tracing(double sampling) {
    return tracing(collector.endpoint(), sampling, 10_000);
  }

  private static TracedRequest request(@Nullable String error, Step... steps) {
    return new TracedRequest(
        "range_read",
        "shop",
        "events",
        "SELECT * FROM shop.events WHERE v = ?",
        "reports",
        "10.0.0.9:1234",
        0,
        9 * MS,
        7,
        700,
        error,
        List.of(steps),
        0);
  }

  private static Step piece(int number, long queued, long sent, long end) {
    String range = "]" + number + ", 9]";
    return new Step(
        "piece " + number,
        true,
        "10.0.0.1:9042",
        range,
        queued * MS,
        sent * MS,
        end * MS,
        3,
        4,
        "");
  }

  private static void end(Tracer.@Nullable Sink sink, TracedRequest request) {
    Objects.requireNonNull(sink).ended(request);
  }

  private double counted(String outcome) {
    return meters.get("sluice.traces").tag("outcome", outcome).counter().count();
  }

  private Span span(String name) {
    return collector.spans().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " in " + collector.spans()));
  }

  @Test
  void without_an_endpoint_there_is_no_tracer() {
    assertThat(OtlpTraces.open(OtlpSettings.off(), meters, "1.2")).isNull();
  }

  @Test
  void a_request_is_a_span_of_its_clients_trace_and_its_steps_are_below_it() {
    end(tracing(0).begin(SAMPLED), request(null, piece(1, 1, 3, 5), piece(2, 1, 1, 6)));
    await().until(() -> collector.spans().size() == 5);
    assertThat(collector.spans()).allMatch(each -> each.traceId().equals(TRACE));
    Span root = span("range_read shop.events");
    assertThat(root.parentId()).isEqualTo(CLIENT);
    assertThat(root.kind()).isEqualTo(2);
    assertThat(root.endNanos() - root.startNanos()).isEqualTo(9 * MS);
    assertThat(root.attributes())
        .containsEntry("db.system.name", "cassandra")
        .containsEntry("db.query.text", "SELECT * FROM shop.events WHERE v = ?")
        .containsEntry("db.response.returned_rows", "7")
        .containsEntry("sluice.role", "reports")
        .doesNotContainKey("error.type");
    assertThat(root.error()).isEmpty();
    assertThat(collector.spans())
        .filteredOn(each -> !each.spanId().equals(root.spanId()))
        .hasSize(4)
        .allMatch(each -> each.parentId().equals(root.spanId()));
    Span queue = span("queue");
    assertThat(queue.startNanos() - root.startNanos()).isEqualTo(MS);
    assertThat(queue.endNanos() - queue.startNanos()).isEqualTo(2 * MS);
    Span piece = span("piece 1");
    assertThat(piece.kind()).isEqualTo(3);
    assertThat(piece.startNanos() - root.startNanos()).isEqualTo(3 * MS);
    assertThat(piece.attributes())
        .containsEntry("server.address", "10.0.0.1")
        .containsEntry("server.port", "9042")
        .containsEntry("sluice.range", "]1, 9]");
    Span merge = span("merge");
    assertThat(merge.startNanos() - root.startNanos()).isEqualTo(5 * MS);
    assertThat(merge.endNanos()).isEqualTo(root.endNanos());
    await().until(() -> counted("sent") == 1);
  }

  @Test
  void an_error_is_the_status_of_the_request() {
    end(tracing(1).begin(null), request("OVERLOADED"));
    await().until(() -> collector.spans().size() == 1);
    Span root = collector.spans().get(0);
    assertThat(root.error()).isEqualTo("OVERLOADED");
    assertThat(root.attributes()).containsEntry("error.type", "OVERLOADED");
    assertThat(root.parentId()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "garbage",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E473X-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7"
      })
  void an_invalid_traceparent_is_ignored(String malformed) {
    assertThat(tracing(0).begin(malformed)).isNull();
    Objects.requireNonNull(traces).close();
    end(tracing(1).begin(malformed), request(null));
    await().until(() -> collector.spans().size() == 1);
    assertThat(collector.spans().get(0).parentId()).isEmpty();
    assertThat(collector.spans().get(0).traceId()).isNotEqualTo(TRACE);
  }

  @Test
  void a_client_that_does_not_trace_is_not_traced() {
    assertThat(tracing(1).begin(SAMPLED.replace("-01", "-00"))).isNull();
  }

  @Test
  void traces_above_the_limit_per_second_are_left_out_whatever_clients_want() {
    OtlpTraces few = tracing(collector.endpoint(), 0, 1);
    int begun = 0;
    for (int i = 0; i < 1_000; i++) {
      begun += few.begin(SAMPLED) == null ? 0 : 1;
    }
    assertThat(begun).isBetween(1, 10);
    assertThat(counted("left_out")).isEqualTo(1_000 - begun);
  }

  @Test
  void beyond_the_queue_requests_are_left_out_while_the_collector_hangs() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    collector.before(
        () -> {
          asked.countDown();
          try {
            over.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    OtlpTraces hangs = tracing(1);
    end(hangs.begin(null), request(null));
    asked.await();
    for (int i = 0; i < OtlpTraces.MAX_WAITING + 10; i++) {
      end(hangs.begin(null), request(null));
    }
    assertThat(counted("left_out")).isEqualTo(10);
    over.countDown();
    await().until(() -> counted("sent") == OtlpTraces.MAX_WAITING + 1);
  }

  @Test
  void a_collector_that_is_down_is_logged_once() throws Exception {
    try (CapturedLog log = CapturedLog.of(OtlpTraces.class)) {
      OtlpTraces down = tracing("http://127.0.0.1:" + FreePorts.next() + "/v1/traces", 1, 10_000);
      for (int i = 1; i <= 3; i++) {
        end(down.begin(null), request(null));
        double lost = i;
        await().until(() -> counted("failed") == lost);
      }
      assertThat(log.lines()).singleElement().asString().contains("tracing.otlp.endpoint");
    }
  }

  @Test
  void queued_traces_are_sent_before_the_end() {
    OtlpTraces ends = tracing(1);
    end(ends.begin(null), request(null));
    ends.close();
    traces = null;
    assertThat(collector.spans()).hasSize(1);
  }
}
