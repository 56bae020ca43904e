package io.sluice;

import static io.sluice.TestRequests.query;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Query;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.trace.Tracer;
import io.sluice.trace.Tracer.TracedRequest;
import io.sluice.trace.Tracer.TracedRequest.Step;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the traces of requests that the tracer receives. */
class TracesTest {

  private static final String SCAN = "SELECT v FROM ks.t LIMIT 5000";

  private final PathFixture fixture = new PathFixture(3, PIECES);
  private final Traced traced = new Traced();

  private static final SplitConfig PIECES =
      new SplitConfig(SplitConfig.Parallel.WAVES, 10, 0, 8, 64 << 20, true);

  /** A tracer of all requests, or of none. */
  private static final class Traced implements Tracer {
    private final List<String> begun = new CopyOnWriteArrayList<>();
    private final List<TracedRequest> ended = new CopyOnWriteArrayList<>();
    private volatile boolean none;

    @Override
    public @Nullable Sink begin(@Nullable String traceparent) {
      begun.add(String.valueOf(traceparent));
      return none ? null : ended::add;
    }
  }

  TracesTest() {
    fixture.tracer = traced;
    fixture.allDo(request -> TestRequests.rows());
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private TracedRequest only() {
    assertThat(traced.ended).hasSize(1);
    TracedRequest only = traced.ended.get(0);
    assertThat(only.arrivalNanos()).isLessThanOrEqualTo(only.endNanos());
    for (Step each : only.steps()) {
      assertThat(each.queuedNanos()).isBetween(only.arrivalNanos(), each.sentNanos());
      assertThat(each.endNanos()).isBetween(each.sentNanos(), only.endNanos());
    }
    return only;
  }

  @Test
  void a_point_read_is_one_step_at_its_node() throws InterruptedException {
    assertThat(fixture.ask(query("SELECT v FROM ks.t WHERE k = 51")).answer()).isEqualTo("rows");
    TracedRequest read = only();
    assertThat(read.shape()).isEqualTo("point_read");
    assertThat(read.keyspace() + "." + read.table()).isEqualTo("ks.t");
    assertThat(read.text()).isEqualTo("SELECT v FROM ks.t WHERE k = ?");
    assertThat(read.role()).isEqualTo("anonymous");
    assertThat(read.rows()).isEqualTo(1);
    assertThat(read.error()).isNull();
    assertThat(read.steps())
        .singleElement()
        .satisfies(
            step -> {
              assertThat(step.name()).isEqualTo("read");
              assertThat(step.piece()).isFalse();
              assertThat(step.node()).contains(":");
              assertThat(step.rows()).isEqualTo(1);
            });
  }

  @Test
  void a_scan_has_a_step_for_each_piece() throws InterruptedException {
    assertThat(fixture.ask(query(SCAN)).answer()).isEqualTo("rows");
    TracedRequest scan = only();
    assertThat(scan.shape()).isEqualTo("range_read");
    assertThat(scan.steps()).hasSizeGreaterThan(1).allMatch(Step::piece);
    assertThat(scan.steps()).extracting(Step::range).doesNotHaveDuplicates();
  }

  @Test
  void a_write_is_one_step_without_a_wait() throws InterruptedException {
    fixture.ask(TestRequests.write()).answer();
    assertThat(only().steps())
        .singleElement()
        .satisfies(
            step -> {
              assertThat(step.name()).isEqualTo("forward");
              assertThat(step.queuedNanos()).isEqualTo(step.sentNanos());
            });
  }

  @Test
  void a_scan_that_falls_back_to_a_whole_read_is_one_request() throws InterruptedException {
    fixture.allDo(request -> CqlCodec.error(4, ErrorCode.INVALID, "not so"));
    assertThat(fixture.ask(query(SCAN)).answer()).isEqualTo("2200");
    assertThat(traced.begun).hasSize(1);
    TracedRequest scan = only();
    assertThat(scan.error()).isEqualTo("INVALID");
    assertThat(scan.steps()).anyMatch(Step::piece).anyMatch(step -> step.name().equals("read"));
  }

  /** A client can write names as long as a frame, and a slow collector lets spans wait. */
  @Test
  void a_name_that_no_table_can_have_is_shortened() throws InterruptedException {
    String name = "x".repeat(100_000);
    fixture.ask(query("SELECT v FROM \"" + name + "\".\"" + name + "\" WHERE k = 1")).answer();
    TracedRequest read = only();
    assertThat(read.keyspace()).hasSize(226).endsWith("x ...");
    assertThat(read.table()).hasSize(226).endsWith("x ...");
  }

  @Test
  void a_refused_request_has_the_name_of_its_error_and_no_steps() throws InterruptedException {
    fixture.view.forgetNodes();
    assertThat(fixture.ask(TestRequests.read()).answer()).isEqualTo("1000");
    assertThat(only().error()).isEqualTo("UNAVAILABLE");
    assertThat(only().steps()).isEmpty();
  }

  @Test
  void the_clients_traceparent_is_passed_on_unchanged() throws InterruptedException {
    Frame request =
        TestFrames.traced(
            4,
            new Query("SELECT v FROM ks.t WHERE k = 1"),
            "traceparent",
            "anything".getBytes(StandardCharsets.UTF_8));
    fixture.ask(request).answer();
    fixture.ask(TestRequests.read()).answer();
    assertThat(traced.begun).containsExactly("anything", "null");
  }

  @Test
  void a_text_that_is_not_cql_is_not_traced() throws InterruptedException {
    fixture.allDo(request -> CqlCodec.error(4, ErrorCode.SYNTAX_ERROR, "no viable alternative"));
    fixture.ask(query("SELECT secret")).answer();
    assertThat(only().text()).isNull();
  }

  @Test
  void console_requests_and_prepares_are_not_traced() throws InterruptedException {
    fixture.ask(query("SELECT node FROM system_proxy.nodes")).answer();
    fixture.ask(CqlCodec.prepare(4, "SELECT v FROM ks.t WHERE k = ?", null)).answer();
    assertThat(traced.begun).isEmpty();
  }

  @Test
  void a_request_that_is_not_sampled_is_not_reported() throws InterruptedException {
    traced.none = true;
    assertThat(fixture.ask(query(SCAN)).answer()).isEqualTo("rows");
    assertThat(traced.begun).hasSize(1);
    assertThat(traced.ended).isEmpty();
  }
}
