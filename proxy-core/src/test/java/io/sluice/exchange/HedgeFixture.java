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
import io.sluice.decide.plan.Plan;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.rule.Rules;
import io.sluice.decide.schedule.NodeLimits;
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
import io.sluice.wire.Frame;
import io.sluice.wire.RowSet;
import io.sluice.wire.TestFrames;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
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

/**
 * Point reads of {@code ks.t} at three replicas in memory, under virtual time. Node 1 is preferred;
 * 99 of 100 reads take at most 2 ms. After each test, each read is answered once, and no slot or
 * frame is left.
 */
abstract class HedgeFixture {

  static final String READ = "SELECT v FROM ks.t WHERE k = 1";
  static final int SERIAL = 8;
  static final int ONE = 1;
  private static final int USUAL_MILLIS = 2;
  static final long LATE_MILLIS = 3;
  static final long TIMEOUT_MILLIS = 5_000;

  final TestLane lane = new TestLane();
  final MemoryNodes nodes = new MemoryNodes(lane);
  private final TestClient client = new TestClient(4, lane);
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicReference<ExchangeConfig> settings = new AtomicReference<>();
  final Scheduler scheduler = new Scheduler(SchedulingConfig.defaults(), lane);
  final NodeHealth health = new NodeHealth(scheduler::standing);
  private final TestCluster cluster = new TestCluster(view());
  private final StatementReader reader;
  private final Exchanges exchanges;
  private final List<Asked> all = new ArrayList<>();

  HedgeFixture() {
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

  static NodeId id(int node) {
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

  void share(double share) {
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
  final class Asked implements ReplyTo {
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

  Asked read() {
    return read(frame(READ, ONE, false));
  }

  Asked read(Frame frame) {
    return read(frame, ids());
  }

  Asked read(Frame frame, List<NodeId> replicas) {
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

  static Frame frame(String cql, int consistency, boolean traced) {
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
  static Frame rows(int count) {
    RowSet.Column column = new RowSet.Column("ks", "t", "v", ColumnType.INT);
    List<List<@Nullable ByteBuffer>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(List.of(ByteBuffer.wrap(new byte[4])));
    }
    return CqlCodec.rows(4, new RowSet(List.of(column), rows));
  }

  static String said(int count) {
    Frame rows = rows(count);
    String said = "rows of " + rows.length();
    rows.release();
    return said;
  }

  MemoryNodes.Asked sentTo(int node) {
    MemoryNodes.Asked next = nodes.next(node);
    assertThat(next).as("a request for node " + node).isNotNull();
    return Objects.requireNonNull(next);
  }

  void sentNoneTo(int node) {
    assertThat(nodes.next(node)).as("a request for node " + node).isNull();
  }

  long slots() {
    return scheduler.snapshot().nodes().stream()
        .mapToLong(node -> node.point().inFlight() + node.point().queued())
        .sum();
  }

  /** Gives all replicas enough answers, each after the usual time. */
  void learn() {
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
  void earn(int reads) {
    for (int i = 0; i < reads; i++) {
      read();
      sentTo(1).answer(rows(1));
    }
  }

  int counted(String outcome) {
    return (int) registry.get("sluice.hedged.reads").tag("outcome", outcome).counter().count();
  }

  int skipped(String reason) {
    return (int) registry.get("sluice.hedges.skipped").tag("reason", reason).counter().count();
  }
}
