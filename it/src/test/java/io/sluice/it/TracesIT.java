package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.console.HostView;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.server.trace.OtlpSettings;
import io.sluice.server.trace.OtlpTraces;
import io.sluice.testkit.TraceCollector;
import io.sluice.testkit.TraceCollector.Span;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Traces of the requests of a stock driver, as a collector receives them. */
@CassandraCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TracesIT {

  private static final String CLIENT = "00f067aa0ba902b7";

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private TraceCollector collector;
  private OtlpTraces traces;
  private Proxy proxy;
  private CqlSession session;

  @BeforeAll
  void serve() throws IOException {
    Stage.plain().needsProxy();
    collector = TraceCollector.start();
    traces =
        Objects.requireNonNull(
            OtlpTraces.open(
                new OtlpSettings(collector.endpoint(), 0, 1_000, Duration.ofSeconds(10)),
                meters,
                "it"));
    proxy =
        Proxy.start(
            OwnNodes.proxyBefore(List.of(Stage.plain().direct().address())),
            meters,
            why -> {},
            HostView.NONE,
            traces);
    session = JavaDriver.open(new Target("Sluice", true, proxy.address(), "tra_"), Wire.USUAL);
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS traces WITH replication"
            + " = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    session.execute("CREATE TABLE IF NOT EXISTS traces.t (k int PRIMARY KEY, v text)");
    for (int key = 0; key < 200; key++) {
      session.execute("INSERT INTO traces.t (k, v) VALUES (" + key + ", 'secret')");
    }
  }

  @AfterAll
  void end() {
    if (session != null) {
      session.close();
    }
    if (proxy != null) {
      proxy.close();
    }
    if (traces != null) {
      traces.close();
    }
    if (collector != null) {
      collector.close();
    }
  }

  /**
   * Returns the spans of a statement in a trace begun by the client. The first span is that of the
   * request.
   */
  private List<Span> traced(String trace, String cql) {
    String parent = "00-" + trace + "-" + CLIENT + "-01";
    ByteBuffer value = ByteBuffer.wrap(parent.getBytes(StandardCharsets.UTF_8));
    session
        .execute(SimpleStatement.newInstance(cql).setCustomPayload(Map.of("traceparent", value)))
        .all();
    await().until(() -> spans(trace).stream().anyMatch(each -> each.kind() == 2));
    return spans(trace);
  }

  private List<Span> spans(String trace) {
    return collector.spans().stream().filter(each -> each.traceId().equals(trace)).toList();
  }

  private static Span root(List<Span> spans) {
    List<Span> roots = spans.stream().filter(each -> each.kind() == 2).toList();
    assertThat(roots).hasSize(1);
    Span root = roots.get(0);
    assertThat(root.parentId()).isEqualTo(CLIENT);
    for (Span each : spans) {
      assertThat(each.spanId().equals(root.spanId()) || each.parentId().equals(root.spanId()))
          .as(each.name())
          .isTrue();
      assertThat(each.startNanos()).isBetween(root.startNanos(), root.endNanos());
      assertThat(each.endNanos()).isBetween(each.startNanos(), root.endNanos());
    }
    return root;
  }

  @Test
  void a_point_read_is_a_part_of_its_clients_trace() {
    List<Span> spans =
        traced("0000000000000000000000000000000a", "SELECT v FROM traces.t WHERE k = 5");
    Span root = root(spans);
    assertThat(root.name()).isEqualTo("point_read traces.t");
    assertThat(root.attributes())
        .containsEntry("db.query.text", "SELECT v FROM traces.t WHERE k = ?")
        .containsEntry("db.response.returned_rows", "1");
    assertThat(spans).extracting(Span::name).containsOnlyOnce("read").contains("queue");
  }

  @Test
  void a_scan_shows_its_pieces_at_several_nodes_and_the_merge() {
    List<Span> spans = traced("0000000000000000000000000000000b", "SELECT * FROM traces.t");
    assertThat(root(spans).attributes()).containsEntry("db.response.returned_rows", "200");
    List<Span> pieces = spans.stream().filter(each -> each.name().startsWith("piece ")).toList();
    assertThat(pieces).hasSizeGreaterThan(1);
    Set<String> nodes =
        pieces.stream()
            .map(
                each ->
                    each.attributes().get("server.address") + each.attributes().get("server.port"))
            .collect(Collectors.toSet());
    assertThat(nodes).hasSizeGreaterThan(1);
    assertThat(
            pieces.stream()
                .mapToLong(
                    each -> Long.parseLong(each.attributes().get("db.response.returned_rows")))
                .sum())
        .isEqualTo(200);
    assertThat(spans).extracting(Span::name).containsOnlyOnce("merge");
  }

  @Test
  void a_span_hides_values_and_shows_an_error() {
    List<Span> write =
        traced(
            "0000000000000000000000000000000c", "INSERT INTO traces.t (k, v) VALUES (0, 'secret')");
    assertThat(root(write).attributes())
        .containsEntry("db.query.text", "INSERT INTO traces.t (k, v) VALUES (?, ...)");
    assertThat(write).extracting(Span::name).contains("forward");
    assertThat(collector.spans().toString()).doesNotContain("secret");
  }

  @Test
  void untraced_requests_have_no_spans() {
    int before = collector.spans().size();
    session.execute("SELECT v FROM traces.t WHERE k = 5");
    traced("0000000000000000000000000000000d", "SELECT v FROM traces.t WHERE k = 6");
    assertThat(collector.spans().size() - before)
        .isEqualTo(spans("0000000000000000000000000000000d").size());
  }
}
