package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.Refusal;
import io.sluice.decide.plan.PlanStep;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.fleet.HomeChoice;
import io.sluice.fleet.Homes;
import io.sluice.ring.NodeId;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestRows;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the record of a read's requests, under virtual time. */
class ReadTraceTest {

  private static final NodeId NODE = new NodeId(new UUID(0, 1));
  private static final PlanStep READ = new PlanStep.Named("read");
  private static final PlanStep PIECE = new PlanStep.Piece(1);
  private static final long MS = 1_000_000;

  private long now = -5 * MS;
  private final Scheduler scheduler = new Scheduler(SchedulingConfig.defaults(), () -> now);
  private final ReadTrace trace = new ReadTrace(() -> now);
  private final Frame rows = rows();

  ReadTraceTest() {
    scheduler.nodes(List.of(new NodeLimits(NODE, 4)));
  }

  private static Frame rows() {
    TestRows rows = new TestRows("k int");
    for (int i = 0; i < 3; i++) {
      rows.row(ByteBuffer.allocate(4));
    }
    return rows.frame();
  }

  /** A read that starts at once. */
  private final class Read extends Demand {
    private @Nullable Permit permit;

    Read() {
      super(
          scheduler.query(QueryFacts.point("ks.t", "role", Long.MAX_VALUE / 2)),
          0,
          List.of(NODE),
          1);
    }

    @Override
    protected void start(Permit granted) {
      permit = granted;
    }

    @Override
    protected void refuse(Refusal refusal) {
      throw new AssertionError(refusal.message());
    }
  }

  private Read submitted() {
    Read read = new Read();
    scheduler.submit(read);
    assertThat(read.permit).isNotNull();
    return read;
  }

  /** Runs a request that waits 2 ms in the queue and takes 3 ms. */
  private void read() {
    Read read = submitted();
    now += 2 * MS;
    read.sent();
    now += 3 * MS;
    read.finish(3, rows.length());
    trace.ended(READ, "", read, rows, 0);
  }

  @Test
  void a_request_is_recorded_with_its_times_and_its_work() {
    read();

    AnalyzedRequest request = trace.requests().get(0);

    assertThat(request.queuedMillis()).isEqualTo(2);
    assertThat(request.readMillis()).isEqualTo(3);
    assertThat(request.node()).isEqualTo(NODE);
    assertThat(request.rows()).isEqualTo(3);
    assertThat(request.bytes()).isEqualTo(rows.length());
    assertThat(request.predictedMillis()).isPositive();
    assertThat(request.actualMillis()).isGreaterThan(request.predictedMillis());
    assertThat(request.note()).isEmpty();
  }

  @Test
  void a_request_that_is_not_sent_is_not_recorded() {
    Read read = submitted();
    read.finishAbandoned();
    trace.ended(READ, "", read, null, 0);
    assertThat(trace.requests()).isEmpty();
  }

  @Test
  void errors_and_lost_nodes_are_recorded_without_work() {
    for (Frame answer : new Frame[] {CqlCodec.error(4, ErrorCode.OVERLOADED, "no"), null}) {
      Read read = submitted();
      read.sent();
      read.finishAbandoned();
      trace.ended(READ, "", read, answer, 0);
      if (answer != null) {
        answer.release();
      }
    }
    assertThat(trace.requests()).extracting(AnalyzedRequest::actualMillis).containsOnly(Double.NaN);
    assertThat(trace.requests()).extracting(AnalyzedRequest::rows).containsOnly(0L);
    assertThat(trace.requests().get(0).note()).isEqualTo("OVERLOADED");
    assertThat(trace.requests().get(1).note()).startsWith("given up");
  }

  @Test
  void the_total_has_the_wait_before_the_first_request_and_the_time_after_it() {
    long arrival = now;
    read();
    read();
    now += MS;

    AnalyzedRequest total = trace.total(arrival, rows, "all rows");

    assertThat(total.queuedMillis()).isEqualTo(2);
    assertThat(total.readMillis()).isEqualTo(3 + 5 + 1);
    assertThat(total.rows()).isEqualTo(3);
    assertThat(total.note()).isEqualTo("2 requests, 6 rows from nodes; all rows");
  }

  @Test
  void the_first_of_many_requests_are_kept_and_the_others_summed() {
    for (int i = 0; i < ReadTrace.MAX_KEPT + 5; i++) {
      read();
    }

    List<AnalyzedRequest> requests = trace.requests();

    assertThat(requests).hasSize(ReadTrace.MAX_KEPT + 1);
    AnalyzedRequest others = requests.get(ReadTrace.MAX_KEPT);
    assertThat(others.step().text()).isEqualTo("others");
    assertThat(others.rows()).isEqualTo(15);
    assertThat(others.readMillis()).isEqualTo(15);
    assertThat(trace.total(0, rows, "").note()).startsWith("1005 requests, 3015 rows");
  }

  @Test
  void rows_from_a_shared_scan_have_no_node() {
    Read given = submitted();
    now += 4 * MS;
    trace.shared(PIECE, "token > 5", given, rows);

    AnalyzedRequest request = trace.requests().get(0);

    assertThat(request.node()).isNull();
    assertThat(request.queuedMillis()).isEqualTo(4);
    assertThat(request.readMillis()).isNaN();
    assertThat(request.rows()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({"0, ''", "1, read together with 1 other", "2, read together with 2 others"})
  void a_request_names_the_reads_that_got_rows_of_its_answer(int riders, String note) {
    Read read = submitted();
    read.sent();
    read.finish(3, rows.length());
    trace.ended(PIECE, "token > 5", read, rows, riders);
    assertThat(trace.requests().get(0).note()).isEqualTo(note);
    assertThat(trace.requests().get(0).range()).isEqualTo("token > 5");
  }

  private static final HomeChoice.Away HOME =
      new HomeChoice.Away(
          new Homes.Home(
              new UUID(1, 1), InetSocketAddress.createUnresolved("proxy2", 9042), new UUID(2, 2)),
          NODE);

  @Test
  void a_request_that_waited_at_its_home_has_the_times_of_both_proxies_and_no_work() {
    long forwarded = now;
    now += 9 * MS;
    trace.endedAtHome(PIECE, HOME, "all", new ReadTrace.Times(forwarded, forwarded + 5 * MS), rows);

    AnalyzedRequest request = trace.requests().get(0);

    assertThat(request.node()).isEqualTo(NODE);
    assertThat(request.queuedMillis()).isEqualTo(5);
    assertThat(request.readMillis()).isEqualTo(4);
    assertThat(request.rows()).isEqualTo(3);
    assertThat(request.bytes()).isEqualTo(rows.length());
    assertThat(request.predictedMillis()).isNaN();
    assertThat(request.actualMillis()).isNaN();
    assertThat(request.note()).isEqualTo("waited at the node's home, the proxy proxy2:9042");
    assertThat(request.when())
        .isEqualTo(new AnalyzedRequest.When(forwarded, forwarded + 5 * MS, now));
    assertThat(trace.total(forwarded, rows, "").queuedMillis()).isEqualTo(5);
  }

  @Test
  void an_error_that_came_from_the_home_is_named() {
    Frame error = CqlCodec.error(4, ErrorCode.OVERLOADED, "no");
    trace.endedAtHome(PIECE, HOME, "all", new ReadTrace.Times(now, now), error);
    error.release();
    assertThat(trace.requests().get(0).note()).startsWith("OVERLOADED; waited at the node's home");
    assertThat(trace.requests().get(0).rows()).isZero();
  }

  @Test
  void the_total_of_a_forwarded_read_has_no_wait_and_no_work() {
    long arrival = now;
    now += 4 * MS;
    AnalyzedRequest total = trace.total(arrival, rows, "all rows");
    assertThat(total.note()).isEqualTo("forwarded to one node, not queued; all rows");
    assertThat(total.queuedMillis()).isNaN();
    assertThat(total.readMillis()).isEqualTo(4);
    assertThat(total.predictedMillis()).isNaN();
    assertThat(total.actualMillis()).isNaN();
  }

  @Test
  void the_total_of_shared_rows_counts_them_as_a_request_that_was_never_sent() {
    long arrival = now;
    trace.shared(PIECE, "all", submitted(), rows);
    AnalyzedRequest total = trace.total(arrival, rows, "all rows");
    assertThat(total.note()).isEqualTo("1 request, 3 rows from nodes; all rows");
    assertThat(total.queuedMillis()).isNaN();
  }

  @Test
  void the_sums_leave_unknown_figures_out() {
    ReadTrace none = new ReadTrace(() -> now, 0);
    none.shared(PIECE, "all", submitted(), rows);
    now += 2 * MS;
    none.endedAtHome(PIECE, HOME, "all", new ReadTrace.Times(now - 2 * MS, now), rows);
    assertThat(none.kept()).isEmpty();
    assertThat(none.size()).isEqualTo(2);
    AnalyzedRequest others = none.requests().get(0);
    assertThat(others.note()).isEqualTo("2 requests more, as sums");
    assertThat(others.node()).isNull();
    assertThat(others.queuedMillis()).isEqualTo(2);
    assertThat(others.readMillis()).isZero();
    assertThat(others.actualMillis()).isZero();
    assertThat(others.predictedMillis()).isPositive();
    assertThat(others.bytes()).isEqualTo(2L * rows.length());
  }
}
