package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.protocol.internal.request.Query;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.accept.ClientRequest;
import io.sluice.accept.ClientRequest.ReplyTo;
import io.sluice.audit.AuditConfig;
import io.sluice.audit.AuditLog;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.Refusal;
import io.sluice.decide.plan.Plan;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.rule.Rules;
import io.sluice.decide.schedule.Demand;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.Permit;
import io.sluice.decide.schedule.QueryFacts;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.execute.dispatch.Dispatcher;
import io.sluice.link.MemoryNodes;
import io.sluice.meter.HedgeMeters;
import io.sluice.meter.ProxyMeters;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.Table;
import io.sluice.ring.TestPartitioner;
import io.sluice.statement.Explain;
import io.sluice.statement.PreparedCache;
import io.sluice.statement.Statement;
import io.sluice.statement.StatementReader;
import io.sluice.testkit.Records;
import io.sluice.time.TestLane;
import io.sluice.usage.Usage;
import io.sluice.watch.ClusterView;
import io.sluice.watch.TestCluster;
import io.sluice.wire.Answers;
import io.sluice.wire.ColumnType;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.RowSet;
import io.sluice.wire.TestFrames;
import io.sluice.wire.TestRows;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests hedged point reads of {@code ks.t} at three replicas in memory, under virtual time. Node 1
 * is preferred; 99 of 100 reads take at most 2 ms. Each read is answered once, and no slot or frame
 * leaks.
 */
class HedgeTest {

  private static final String READ = "SELECT v FROM ks.t WHERE k = 1";
  private static final int SERIAL = 8;
  private static final int ONE = 1;
  private static final int USUAL_MILLIS = 2;
  private static final long LATE_MILLIS = 3;
  private static final long TIMEOUT_MILLIS = 5_000;

  private final TestLane lane = new TestLane();
  private final MemoryNodes nodes = new MemoryNodes(lane);
  private final TestClient client = new TestClient(4, lane);
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicReference<ExchangeConfig> settings = new AtomicReference<>();
  private final Scheduler scheduler = new Scheduler(SchedulingConfig.defaults(), lane);
  private final NodeHealth health = new NodeHealth(scheduler::standing);
  private final TestCluster cluster = new TestCluster(view());
  private final StatementReader reader;
  private final Exchanges exchanges;
  private final List<Asked> all = new ArrayList<>();

  HedgeTest() {
    share(0.1);
    PreparedCache prepared = new PreparedCache(10, 1 << 20);
    reader = new StatementReader(prepared, new ScatterPlanner(SplitConfig.defaults()));
    SchemaHomes homes = new SchemaHomes(health);
    exchanges =
        new Exchanges(
            new ProxyContext(
                settings,
                lane,
                cluster,
                health,
                scheduler,
                new Dispatcher(nodes, prepared),
                new ResponseHandler(
                    reader, cluster, new ProxyMeters(new SimpleMeterRegistry()), homes),
                homes,
                new RunningRequests(),
                new Hedges(lane, new HedgeMeters(registry)),
                new Usage(10, lane),
                new Rules(List.of(), lane),
                new AuditLog(AuditConfig.off(), () -> Instant.EPOCH),
                null));
    scheduler.nodes(ids().stream().map(id -> new NodeLimits(id, 2)).toList());
  }

  @AfterEach
  void nothing_is_left() {
    lane.pass(2 * TIMEOUT_MILLIS);
    assertThat(slots()).as("slots held or waited for").isZero();
    for (Asked each : all) {
      assertThat(each.answers).as("answers of a request").hasSize(1);
      assertThat(TestFrames.isReleased(each.request)).as("the client's request").isTrue();
      each.answers.forEach(
          answer -> {
            answer.release();
            assertThat(TestFrames.isReleased(answer)).isTrue();
          });
    }
    nodes.close();
  }

  private static List<NodeId> ids() {
    return List.of(id(1), id(2), id(3));
  }

  private static NodeId id(int node) {
    return new NodeId(new UUID(0, node));
  }

  private static ClusterView view() {
    Map<NodeId, Node> ring = new LinkedHashMap<>();
    for (NodeId id : ids()) {
      InetSocketAddress address =
          InetSocketAddress.createUnresolved("n" + id.hostId().getLeastSignificantBits(), 9042);
      ring.put(id, new Node(id, address, "dc1", "r1", true));
    }
    return new ClusterView(
        new Ring(TestPartitioner.ANY, "dc1", ring, Map.of()),
        (keyspace, table) -> new Table("ks", "t", List.of(new Table.KeyColumn("k", "int"))),
        Map.of(),
        Map.of());
  }

  private void share(double share) {
    settings.set(
        new ExchangeConfig(
            null,
            Records.with(
                SchedulingConfig.defaults(),
                "hedgeShare",
                share,
                "readTimeout",
                Duration.ofMillis(TIMEOUT_MILLIS)),
            Duration.ofSeconds(1),
            false,
            null,
            List.of()));
  }

  /** A client's read with its answer. */
  private final class Asked implements ReplyTo {
    final Frame request;
    final List<Frame> answers = new ArrayList<>();
    @Nullable Exchange exchange;
    boolean open = true;

    Asked(Frame request) {
      this.request = request;
      all.add(this);
    }

    @Override
    public void reply(Frame answer) {
      answers.add(answer);
    }

    @Override
    public boolean isOpen() {
      return open;
    }

    /** Returns the value of its row or the code of its error; empty before the answer. */
    String said() {
      if (answers.isEmpty()) {
        return "nothing";
      }
      int error = Answers.errorCode(answers.get(0));
      return error >= 0 ? "%04x".formatted(error) : "rows of " + answers.get(0).length();
    }
  }

  private Asked read() {
    return read(frame(READ, ONE, false));
  }

  private Asked read(Frame frame) {
    return read(frame, ids());
  }

  private Asked read(Frame frame, List<NodeId> replicas) {
    Asked asked = new Asked(frame);
    ClientRequest request = new ClientRequest(frame, client, asked);
    try {
      Statement statement = reader.read(frame, client, cluster.view());
      if (Explain.runs(statement)) {
        request = exchanges.analyzed(request, statement);
        statement = reader.read(request.frame(), client, cluster.view());
      }
      Exchange exchange =
          exchanges.read(
              request,
              statement,
              new Plan.Queue(replicas, PriorityClass.POINT, 1, Integer.MAX_VALUE, 0));
      asked.exchange = exchange;
      exchange.start();
    } catch (StatementReader.UnknownStatement e) {
      throw new AssertionError(e);
    }
    lane.runSoon();
    return asked;
  }

  private static Frame frame(String cql, int consistency, boolean traced) {
    Query query =
        new Query(
            cql,
            new QueryOptions(
                consistency,
                List.of(),
                Map.of(),
                false,
                -1,
                null,
                9,
                Long.MIN_VALUE,
                null,
                Integer.MIN_VALUE));
    return traced ? TestFrames.traced(4, query, "k") : TestFrames.request(4, 0, query);
  }

  /** Creates an answer with {@code count} rows. */
  private static Frame rows(int count) {
    RowSet.Column column = new RowSet.Column("ks", "t", "v", ColumnType.INT);
    List<List<@Nullable ByteBuffer>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(List.of(ByteBuffer.wrap(new byte[4])));
    }
    return CqlCodec.rows(4, new RowSet(List.of(column), rows));
  }

  private static String said(int count) {
    Frame rows = rows(count);
    String said = "rows of " + rows.length();
    rows.release();
    return said;
  }

  private MemoryNodes.Asked sentTo(int node) {
    MemoryNodes.Asked next = nodes.next(node);
    assertThat(next).as("a request for node " + node).isNotNull();
    return Objects.requireNonNull(next);
  }

  private void sentNoneTo(int node) {
    assertThat(nodes.next(node)).as("a request for node " + node).isNull();
  }

  private long slots() {
    return scheduler.snapshot().nodes().stream()
        .mapToLong(node -> node.point().inFlight() + node.point().queued())
        .sum();
  }

  /** Gives all replicas enough answers, each after the usual time. */
  private void learn() {
    for (NodeId id : ids()) {
      for (int i = 0; i < 100; i++) {
        Asked asked = read(frame(READ, ONE, false), List.of(id));
        lane.pass(USUAL_MILLIS);
        sentTo((int) id.hostId().getLeastSignificantBits()).answer(rows(1));
        assertThat(asked.said()).isEqualTo(said(1));
      }
    }
    earn(40);
  }

  /** Sends this number of reads that could be hedged. */
  private void earn(int reads) {
    for (int i = 0; i < reads; i++) {
      read();
      sentTo(1).answer(rows(1));
    }
  }

  private int counted(String outcome) {
    return (int) registry.get("sluice.hedged.reads").tag("outcome", outcome).counter().count();
  }

  private int skipped(String reason) {
    return (int) registry.get("sluice.hedges.skipped").tag("reason", reason).counter().count();
  }

  @Test
  void a_late_read_is_also_sent_to_another_replica_and_the_first_answer_wins() {
    learn();
    Asked asked = read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(1);
    sentNoneTo(2);
    lane.pass(LATE_MILLIS - 1);
    MemoryNodes.Asked second = sentTo(2);
    assertThat(slots()).isEqualTo(2);

    second.answer(rows(7));
    assertThat(asked.said()).isEqualTo(said(7));
    assertThat(slots()).as("the slot of the first node").isEqualTo(1);

    first.answer(rows(1));
    assertThat(slots()).isZero();
    assertThat(counted("won")).isEqualTo(1);
  }

  @Test
  void the_late_answer_of_the_second_request_is_dropped() {
    learn();
    Asked asked = read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    MemoryNodes.Asked second = sentTo(2);
    first.answer(rows(1));
    assertThat(asked.said()).isEqualTo(said(1));
    assertThat(slots()).isEqualTo(1);
    second.answer(rows(7));
    assertThat(slots()).isZero();
    assertThat(counted("lost")).isEqualTo(1);
  }

  @Test
  void a_request_that_lost_and_is_not_answered_frees_its_slot_at_the_timeout() {
    learn();
    read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    sentTo(2).answer(rows(7));
    lane.pass(TIMEOUT_MILLIS - 1);
    assertThat(slots()).isEqualTo(1);
    lane.pass(1);
    assertThat(slots()).isZero();
    first.answer(rows(1));
  }

  @Test
  void a_request_of_a_client_that_is_gone_frees_its_slot_at_the_timeout() {
    learn();
    Asked asked = read();
    MemoryNodes.Asked first = sentTo(1);
    asked.open = false;
    lane.pass(LATE_MILLIS);
    sentNoneTo(2);
    assertThat(asked.said()).isEqualTo("1200");
    lane.pass(TIMEOUT_MILLIS - 1);
    assertThat(slots()).isEqualTo(1);
    lane.pass(1);
    assertThat(slots()).isZero();
    first.answer(rows(1));
  }

  @Test
  void a_request_that_lost_frees_its_slot_when_its_node_dies() {
    learn();
    read();
    sentTo(1).ignore();
    lane.pass(LATE_MILLIS);
    sentTo(2).answer(rows(7));
    nodes.dies(1);
    lane.runSoon();
    assertThat(slots()).isZero();
    sentNoneTo(3);
  }

  @Test
  void an_error_is_not_the_answer_while_the_other_request_is_in_flight() {
    learn();
    Asked firstFails = read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    MemoryNodes.Asked second = sentTo(2);
    first.answer(TestFrames.error(4, ErrorCode.READ_FAILURE));
    assertThat(firstFails.said()).isEqualTo("nothing");
    second.answer(rows(7));
    assertThat(firstFails.said()).isEqualTo(said(7));
    assertThat(counted("won")).isEqualTo(1);

    Asked secondFails = read();
    first = sentTo(1);
    lane.pass(LATE_MILLIS);
    sentTo(2).answer(TestFrames.error(4, ErrorCode.OVERLOADED));
    assertThat(secondFails.said()).isEqualTo("nothing");
    sentNoneTo(3);
    first.answer(rows(1));
    assertThat(secondFails.said()).isEqualTo(said(1));
    assertThat(counted("failed")).isEqualTo(1);
  }

  @Test
  void the_later_of_two_errors_is_the_answer() {
    learn();
    Asked asked = read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    sentTo(2).answer(TestFrames.error(4, ErrorCode.OVERLOADED));
    first.answer(TestFrames.error(4, ErrorCode.READ_FAILURE));
    assertThat(asked.said()).isEqualTo("%04x".formatted(ErrorCode.READ_FAILURE));
    assertThat(counted("failed")).isEqualTo(1);
  }

  @Test
  void when_the_first_node_dies_a_third_is_tried_and_the_second_may_still_answer() {
    learn();
    Asked asked = read();
    sentTo(1).ignore();
    lane.pass(LATE_MILLIS);
    MemoryNodes.Asked second = sentTo(2);
    nodes.dies(1);
    MemoryNodes.Asked third = sentTo(3);
    second.answer(rows(7));
    assertThat(asked.said()).isEqualTo(said(7));
    third.answer(rows(1));
  }

  @Test
  void when_the_first_node_dies_no_node_gets_the_read_twice() {
    learn();
    Asked asked = read(frame(READ, ONE, false), List.of(id(1), id(2)));
    sentTo(1).ignore();
    lane.pass(LATE_MILLIS);
    MemoryNodes.Asked second = sentTo(2);
    nodes.dies(1);
    sentNoneTo(2);
    MemoryNodes.Asked noReplica = sentTo(3);
    second.answer(rows(7));
    assertThat(asked.said()).isEqualTo(said(7));
    noReplica.answer(rows(1));
  }

  @Test
  void when_the_second_node_dies_no_third_is_tried_and_the_first_may_still_answer() {
    learn();
    Asked asked = read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    sentTo(2).ignore();
    nodes.dies(2);
    lane.runSoon();
    sentNoneTo(3);
    assertThat(asked.said()).isEqualTo("nothing");
    first.answer(rows(1));
    assertThat(asked.said()).isEqualTo(said(1));
    assertThat(counted("failed")).isEqualTo(1);
  }

  @Test
  void when_neither_answers_the_read_times_out_and_both_slots_are_free() {
    learn();
    Asked asked = read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    MemoryNodes.Asked second = sentTo(2);
    lane.pass(TIMEOUT_MILLIS);
    assertThat(asked.said()).isEqualTo("%04x".formatted(ErrorCode.READ_TIMEOUT));
    assertThat(slots()).isZero();
    first.answer(rows(1));
    second.answer(rows(7));
    assertThat(counted("failed")).isEqualTo(1);
  }

  /** SERVER_ERROR has the code 0. */
  @Test
  void a_server_error_counts_as_an_error_and_a_dropped_one_is_released() {
    learn();
    Frame error = TestFrames.error(4, ErrorCode.SERVER_ERROR);
    Asked secondFails = read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    sentTo(2).answer(error);
    assertThat(secondFails.said()).isEqualTo("nothing");
    assertThat(TestFrames.isReleased(error)).isTrue();
    first.answer(rows(1));
    assertThat(secondFails.said()).isEqualTo(said(1));

    Asked bothFail = read();
    first = sentTo(1);
    lane.pass(LATE_MILLIS);
    MemoryNodes.Asked second = sentTo(2);
    first.answer(TestFrames.error(4, ErrorCode.SERVER_ERROR));
    assertThat(bothFail.said()).isEqualTo("nothing");
    second.answer(TestFrames.error(4, ErrorCode.SERVER_ERROR));
    assertThat(bothFail.said()).isEqualTo("0000");
    assertThat(counted("failed")).isEqualTo(2);
    assertThat(counted("won")).isZero();
  }

  @Test
  void a_second_request_that_lost_and_is_not_answered_keeps_its_slot_until_the_timeout() {
    learn();
    Asked asked = read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    MemoryNodes.Asked second = sentTo(2);
    first.answer(rows(1));
    assertThat(asked.said()).isEqualTo(said(1));
    lane.pass(TIMEOUT_MILLIS - 1);
    assertThat(slots()).isEqualTo(1);
    lane.pass(1);
    assertThat(slots()).isZero();
    second.answer(rows(7));
  }

  @Test
  void a_read_that_an_operator_ends_frees_both_slots_at_once() {
    learn();
    Asked asked = read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    MemoryNodes.Asked second = sentTo(2);
    Objects.requireNonNull(asked.exchange).end("not now");
    lane.runSoon();
    assertThat(asked.answers).hasSize(1);
    assertThat(slots()).isZero();
    assertThat(counted("failed")).isEqualTo(1);
    first.answer(rows(1));
    second.answer(rows(7));
  }

  @Test
  void when_every_node_dies_the_read_fails_once() {
    learn();
    Asked asked = read();
    sentTo(1).ignore();
    lane.pass(LATE_MILLIS);
    sentTo(2).ignore();
    nodes.dies(1);
    lane.runSoon();
    sentTo(3).ignore();
    nodes.dies(3);
    lane.runSoon();
    assertThat(asked.said()).as("while the second request is in flight").isEqualTo("nothing");
    nodes.dies(2);
    lane.runSoon();
    assertThat(asked.answers).hasSize(1);
    assertThat(Answers.errorCode(asked.answers.get(0))).isNotNegative();
    assertThat(counted("failed")).isEqualTo(1);
    assertThat(slots()).isZero();
  }

  private static List<String> steps(Frame analysis) {
    return TestRows.read(analysis).cells().stream()
        .map(row -> StandardCharsets.UTF_8.decode(row.get(0).duplicate()).toString())
        .toList();
  }

  @Test
  void explain_analyze_shows_both_requests_of_a_hedged_read() {
    learn();
    Asked won = read(frame("EXPLAIN ANALYZE " + READ, ONE, false));
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    sentTo(2).answer(rows(7));
    assertThat(steps(won.answers.get(0))).containsExactly("hedge", "read", "total");
    first.answer(rows(1));

    Asked lost = read(frame("EXPLAIN ANALYZE " + READ, ONE, false));
    first = sentTo(1);
    lane.pass(LATE_MILLIS);
    MemoryNodes.Asked second = sentTo(2);
    first.answer(rows(1));
    assertThat(steps(lost.answers.get(0))).containsExactly("read", "hedge", "total");
    second.answer(rows(7));
  }

  @Test
  void a_read_has_one_second_request_at_most() {
    learn();
    read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    MemoryNodes.Asked second = sentTo(2);
    lane.pass(100);
    sentNoneTo(3);
    first.answer(rows(1));
    second.answer(rows(1));
  }

  @Test
  void hedged_reads_stay_within_the_share() {
    share(0.02);
    learn();
    earn(10);
    int hedged = 0;
    for (int i = 0; i < 20; i++) {
      read();
      MemoryNodes.Asked first = sentTo(1);
      lane.pass(LATE_MILLIS);
      MemoryNodes.Asked second = nodes.next(2);
      if (second != null) {
        second.answer(rows(1));
        hedged++;
      }
      first.answer(rows(1));
    }
    int sent = 300 + 40 + 10 + 20;
    assertThat(hedged).isBetween(1, (int) (0.02 * sent));
    assertThat(skipped("share")).isPositive();
  }

  @Test
  void serial_and_traced_reads_are_never_hedged() {
    learn();
    List<Frame> frames =
        List.of(frame(READ, SERIAL, false), frame(READ, SERIAL + 1, false), frame(READ, ONE, true));
    for (Frame frame : frames) {
      read(frame);
      MemoryNodes.Asked first = sentTo(1);
      lane.pass(LATE_MILLIS);
      sentNoneTo(2);
      sentNoneTo(3);
      first.answer(rows(1));
    }
  }

  @Test
  void no_read_is_hedged_without_a_share_or_before_durations_are_known() {
    earn(50);
    read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(50);
    sentNoneTo(2);
    first.answer(rows(1));

    learn();
    share(0);
    read();
    first = sentTo(1);
    lane.pass(50);
    sentNoneTo(2);
    first.answer(rows(1));
  }

  @Test
  void a_suspect_or_avoided_replica_gets_no_second_request() {
    learn();
    health.suspect(id(2), true);
    read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    sentNoneTo(2);
    sentTo(3).answer(rows(1));
    first.answer(rows(1));

    health.avoid(id(3), true);
    read();
    first = sentTo(1);
    lane.pass(LATE_MILLIS);
    sentNoneTo(2);
    sentNoneTo(3);
    assertThat(skipped("busy")).isEqualTo(1);
    first.answer(rows(1));
    health.suspect(id(2), false);
    health.avoid(id(3), false);
  }

  /** At most twenty unused hedges are saved. */
  @Test
  void a_hedge_that_no_replica_could_take_is_left_to_other_reads() {
    learn();
    health.avoid(id(2), true);
    health.avoid(id(3), true);
    for (int i = 0; i < 25; i++) {
      read();
      MemoryNodes.Asked first = sentTo(1);
      lane.pass(10);
      first.answer(rows(1));
    }
    assertThat(skipped("busy")).isEqualTo(25);
    assertThat(skipped("share")).isZero();
    health.avoid(id(2), false);
    health.avoid(id(3), false);
  }

  @Test
  void no_read_is_hedged_while_the_other_replicas_are_full() {
    learn();
    List<Permit> held = new ArrayList<>();
    for (int node = 2; node <= 3; node++) {
      held.add(hold(node));
      held.add(hold(node));
    }
    read();
    MemoryNodes.Asked first = sentTo(1);
    lane.pass(LATE_MILLIS);
    sentNoneTo(2);
    sentNoneTo(3);
    assertThat(skipped("busy")).isEqualTo(1);
    held.forEach(Permit::finishAbandoned);
    first.answer(rows(1));
  }

  private Permit hold(int node) {
    QueryFacts facts = QueryFacts.point("ks.other", "other", Long.MAX_VALUE / 2);
    List<Permit> granted = new ArrayList<>();
    scheduler.submit(
        new Demand(scheduler.query(facts), 0, List.of(id(node)), 1) {
          @Override
          protected void start(Permit permit) {
            granted.add(permit);
          }

          @Override
          protected void refuse(Refusal refusal) {
            throw new AssertionError(refusal.message());
          }
        });
    return granted.get(0);
  }

  @Test
  void reads_that_are_answered_in_time_leave_no_timers() {
    learn();
    int timers = lane.scheduled();
    earn(100);
    assertThat(lane.scheduled()).as("timers").isLessThanOrEqualTo(timers + 1);
    lane.pass(LATE_MILLIS);
    sentNoneTo(2);
    assertThat(counted("won") + counted("lost") + counted("failed")).isZero();
  }
}
