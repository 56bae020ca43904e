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
import io.sluice.decide.rule.Rule;
import io.sluice.decide.rule.Rules;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.exchange.RunningRequests.RequestFacts;
import io.sluice.link.MemoryNodes;
import io.sluice.meter.HedgeMeters;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.Table;
import io.sluice.ring.TestPartitioner;
import io.sluice.statement.Explain;
import io.sluice.statement.Statement;
import io.sluice.statement.StatementReader;
import io.sluice.testkit.Records;
import io.sluice.time.TestLane;
import io.sluice.trace.Tracer;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/**
 * Requests for {@code ks.t} to three nodes in memory, under virtual time. Node 1 is preferred.
 * Reads may take 5 s, other requests 12 s. After each test, each request is answered once, and no
 * slot or frame is left.
 */
abstract class ExchangeFixture {

  static final String READ = "SELECT v FROM ks.t WHERE k = 1";
  static final String SCAN = "SELECT v FROM ks.t";
  static final String WRITE = "INSERT INTO ks.t (k, v) VALUES (1, 2)";
  static final int ONE = 1;
  static final long TIMEOUT_MILLIS = 5_000;

  /** Longer than any request may take. */
  private static final long ALL_MILLIS = Duration.ofMinutes(11).toMillis();

  final TestLane lane = new TestLane();
  final MemoryNodes nodes = new MemoryNodes(lane);

  /** The client that sends the requests. */
  TestClient client = new TestClient(4, lane);

  final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  final SimpleMeterRegistry hedgeRegistry = new SimpleMeterRegistry();
  final AtomicReference<ExchangeConfig> settings = new AtomicReference<>();
  final Scheduler scheduler = new Scheduler(SchedulingConfig.defaults(), lane);
  final NodeHealth health;
  final TestCluster cluster = new TestCluster(view());
  final Rules rules;
  final ProxyContext context;
  final Exchanges exchanges;
  final StatementReader reader;

  /** The tracer; null at first. */
  @Nullable Tracer tracer;

  private final List<Asked> all = new ArrayList<>();

  ExchangeFixture() {
    share(0.1);
    TestContext made =
        TestContext.of(
            settings,
            lane,
            nodes,
            cluster,
            scheduler,
            new ScatterPlanner(SplitConfig.defaults()),
            registry);
    Tracer settable = traceparent -> tracer == null ? null : tracer.begin(traceparent);
    context =
        Records.with(
            made.proxy(),
            "hedges",
            new Hedges(lane, new HedgeMeters(hedgeRegistry)),
            "audit",
            new AuditLog(new AuditConfig(true, true, true, 20), () -> Instant.EPOCH),
            "tracer",
            settable);
    context.meters().changed(cluster.view().ring());
    reader = made.reader();
    health = context.health();
    rules = context.rules();
    exchanges = new Exchanges(context);
    scheduler.nodes(ids().stream().map(id -> new NodeLimits(id, 2)).toList());
  }

  @AfterEach
  void nothing_is_left() {
    lane.pass(ALL_MILLIS);
    nodes.ignoreAll();
    assertThat(slots()).as("slots held or waited for").isZero();
    assertThat(running()).as("requests in flight").isEmpty();
    assertThat(client.pointReads.underWay()).as("point reads of the client").isZero();
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

  static List<NodeId> ids() {
    return List.of(id(1), id(2), id(3));
  }

  static NodeId id(int node) {
    return new NodeId(new UUID(0, node));
  }

  static Node node(int node) {
    InetSocketAddress address = InetSocketAddress.createUnresolved("n" + node, 9042);
    return new Node(id(node), address, "dc1", "r1", true);
  }

  /** Returns a view of these nodes, which own the table together. */
  static ClusterView view(int... present) {
    Map<NodeId, Node> ring = new LinkedHashMap<>();
    for (int each : present.length == 0 ? new int[] {1, 2, 3} : present) {
      ring.put(id(each), node(each));
    }
    return new ClusterView(
        new Ring(TestPartitioner.ANY, "dc1", ring, Map.of()),
        (keyspace, table) ->
            table.equals("t")
                ? new Table("ks", "t", List.of(new Table.KeyColumn("k", "int")))
                : null,
        Map.of(),
        Map.of());
  }

  /** Sets the share of reads that may be hedged. */
  void share(double share) {
    scheduling(
        Records.with(
            SchedulingConfig.defaults(),
            "hedgeShare",
            share,
            "readTimeout",
            Duration.ofMillis(TIMEOUT_MILLIS)));
  }

  void scheduling(SchedulingConfig scheduling) {
    settings.set(
        new ExchangeConfig(null, scheduling, Duration.ofSeconds(1), false, null, List.of()));
  }

  /** Returns the rule {@code r} that matches all requests and changes nothing. */
  static Rule rule() {
    return new Rule("r", null, null, null, null, null, null);
  }

  /** A client's request with its answer. */
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

    /** Returns the length of its rows, the code of its error, or its opcode. */
    String said() {
      if (answers.isEmpty()) {
        return "nothing";
      }
      Frame answer = answers.get(0);
      int error = Answers.errorCode(answer);
      if (error >= 0) {
        return "%04x".formatted(error);
      }
      return Answers.isRows(answer) ? "rows of " + answer.length() : "opcode " + answer.opcode();
    }

    /** Returns the message of its error. */
    String words() {
      return Answers.errorMessage(answers.get(0));
    }

    Exchange exchange() {
      return Objects.requireNonNull(exchange);
    }
  }

  /** Creates the exchange of a parsed request. */
  interface Making {
    Exchange of(ClientRequest request, Statement statement);
  }

  /** Starts a request, under the rules, with the exchange that the test chooses. */
  Asked ask(Frame frame, Making making) {
    Asked asked = new Asked(frame);
    ClientRequest request = new ClientRequest(frame, client, asked);
    Statement statement = statement(frame);
    if (Explain.runs(statement)) {
      request = exchanges.analyzed(request, statement);
      statement = statement(request.frame());
    }
    Exchange exchange = making.of(request, new ClientRules(context).apply(request, statement));
    asked.exchange = exchange;
    exchange.start();
    lane.runSoon();
    return asked;
  }

  /** Returns a request that must not be answered. */
  ClientRequest unanswered(Frame frame) {
    return new ClientRequest(
        frame,
        client,
        new ReplyTo() {
          @Override
          public void reply(Frame answer) {
            throw new AssertionError("nothing is answered here");
          }

          @Override
          public boolean isOpen() {
            return true;
          }
        });
  }

  Statement statement(Frame frame) {
    try {
      return reader.read(frame, client, cluster.view());
    } catch (StatementReader.UnknownStatement e) {
      throw new AssertionError(e);
    }
  }

  /** Starts a request whose begin is the test's. */
  Asked own(String cql, Consumer<OwnExchange> beginning) {
    return ask(
        CqlCodec.query(4, cql),
        (request, statement) -> new OwnExchange(context, request, statement, beginning));
  }

  /** Returns the exchange that forwards the request of another one. */
  Exchange next(OwnExchange own) {
    return exchanges.forwarded(own.request(), own.statement(), ids());
  }

  /** Starts a request that goes to one of these nodes without a wait. */
  Asked forward(String cql, NodeId... to) {
    return forward(CqlCodec.query(4, cql), to);
  }

  Asked forward(Frame frame, NodeId... to) {
    List<NodeId> nodes = to.length == 0 ? ids() : List.of(to);
    return ask(frame, (request, statement) -> exchanges.forwarded(request, statement, nodes));
  }

  /** Starts a read of these replicas, or of all nodes. */
  Asked read(PriorityClass of, NodeId... replicas) {
    String cql = of == PriorityClass.POINT ? READ : SCAN;
    return read(CqlCodec.query(4, cql), of, replicas.length == 0 ? ids() : List.of(replicas));
  }

  /** Starts a read of these replicas that is not split. */
  Asked read(Frame frame, PriorityClass priorityClass, List<NodeId> replicas) {
    Plan.Queue plan = new Plan.Queue(replicas, priorityClass, 1, Integer.MAX_VALUE, 0);
    return ask(frame, (request, statement) -> exchanges.read(request, statement, plan));
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

  void sentNoneTo(int... none) {
    for (int node : none) {
      assertThat(nodes.next(node)).as("a request for node " + node).isNull();
    }
  }

  /** Breaks the link of a node that has received a request. */
  void diesWithRequest(int node) {
    sentTo(node).ignore();
    nodes.dies(node);
    lane.runSoon();
  }

  long slots() {
    return scheduler.snapshot().nodes().stream()
        .mapToLong(
            node ->
                node.point().inFlight()
                    + node.point().queued()
                    + node.range().inFlight()
                    + node.range().queued())
        .sum();
  }

  /** Returns the requests in flight, as the console shows them. */
  List<RequestFacts> running() {
    List<RequestFacts> running = new ArrayList<>();
    context.running().facts(lane, running::addAll);
    lane.runSoon();
    return running;
  }

  /** Returns how many requests have ended with this error of this origin. */
  int errors(String origin, String error) {
    return (int)
        registry.get("sluice.errors").tag("origin", origin).tag("error", error).counter().count();
  }
}
