package io.sluice.exchange.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.FakeTable;
import io.sluice.accept.ClientRequest;
import io.sluice.accept.ClientRequest.ReplyTo;
import io.sluice.decide.PriorityClass;
import io.sluice.decide.plan.Plan;
import io.sluice.decide.plan.ResumePoint;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.predict.Densities;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulerSnapshot.NodeState;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.exchange.ExchangeConfig;
import io.sluice.exchange.ProxyContext;
import io.sluice.exchange.TestClient;
import io.sluice.exchange.TestContext;
import io.sluice.execute.merge.ClientPagingState;
import io.sluice.execute.merge.Merger;
import io.sluice.execute.merge.StatementDigest;
import io.sluice.fleet.Homes;
import io.sluice.link.MemoryNodes;
import io.sluice.memory.MemoryBudget;
import io.sluice.meter.HomeMeters;
import io.sluice.ring.Estimates;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.Table;
import io.sluice.ring.TableName;
import io.sluice.ring.TestPartitioner;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import io.sluice.statement.RangeStatement;
import io.sluice.statement.Statement;
import io.sluice.statement.StatementReader;
import io.sluice.testkit.Records;
import io.sluice.time.TestLane;
import io.sluice.watch.ClusterView;
import io.sluice.watch.NodeTimeouts;
import io.sluice.watch.TestCluster;
import io.sluice.wire.ForwardedPiece;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads pages of {@code ks.t} from three nodes in memory under virtual time. Each key is its own
 * token. Nodes 1 and 2 own the piece that ends at 100, nodes 2 and 3 the one that ends at 200, and
 * nodes 3 and 1 the rest of the ring. The range timeout is 12 s.
 */
final class PageFixture implements AutoCloseable {

  static final String ALL = "SELECT k FROM ks.t";
  static final int NODES = 3;
  static final Duration TIMEOUT = Duration.ofSeconds(12);

  final TestLane lane = new TestLane();
  final MemoryNodes nodes = new MemoryNodes(lane);
  final TestClient client = new TestClient(4, lane);
  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  final MemoryBudget memory = new MemoryBudget(64 << 20);
  final RangeReads reads;
  final AtomicReference<ExchangeConfig> settings;
  final ProxyContext context;
  final Densities densities = new Densities();
  final Scheduler scheduler;
  final TestCluster cluster = new TestCluster(view());
  private final StatementReader reader;
  private final List<Page> pages = new ArrayList<>();

  /** The answers of nodes, of which each must be released in the end. */
  private final List<Frame> answers = new ArrayList<>();

  /** Creates nodes with so many slots for range reads that every piece starts at once. */
  PageFixture(SplitConfig split) {
    this(split, 16);
  }

  /** Creates nodes with {@code rangeSlots} slots for range reads. */
  PageFixture(SplitConfig split, int rangeSlots) {
    SchedulingConfig scheduling = scheduling(rangeSlots);
    scheduler = new Scheduler(scheduling, lane);
    scheduler.nodes(
        cluster.view().ring().local().stream().map(node -> new NodeLimits(node.id(), 32)).toList());
    ScatterPlanner planner = new ScatterPlanner(split);
    settings =
        new AtomicReference<>(
            new ExchangeConfig(TIMEOUT, scheduling, Duration.ofSeconds(1), false, null, List.of()));
    TestContext made =
        TestContext.of(
            settings, lane, nodes, cluster, scheduler, planner, new SimpleMeterRegistry());
    context = made.proxy();
    reader = made.reader();
    reads =
        new RangeReads(
            context,
            planner,
            densities,
            made.prepared(),
            memory,
            meters,
            new PieceHomes(
                context.dispatcher(), new HomeHealth(lane), new HomeMeters(meters), () -> {}));
  }

  /** Makes the scheduler refuse every read at once. */
  void refuseAll() {
    scheduler.nodes(List.of());
  }

  /** Sets the home proxies that this proxy knows. */
  void homes(Homes homes) {
    settings.updateAndGet(now -> now.withHomes(homes));
  }

  /** Handles a request of another proxy for a piece. The caller keeps the request. */
  void guest(Frame request, Consumer<Frame> reply) {
    ForwardedPiece piece = Objects.requireNonNull(reads.forwarded(request), "a proven piece");
    Frame plain = ForwardedPiece.without(request);
    ReplyTo other =
        new ReplyTo() {
          @Override
          public void reply(Frame answer) {
            reply.accept(answer);
          }

          @Override
          public boolean isOpen() {
            return true;
          }
        };
    try {
      Statement statement = reader.readForProxy(plain, client, cluster.view());
      reads.guest(new ClientRequest(plain, client, other), statement, piece).start();
    } catch (StatementReader.UnknownStatement e) {
      throw new AssertionError(e);
    }
    lane.runSoon();
  }

  /** Returns the count of this meter under these tags. */
  double counted(String meter, String... tags) {
    return meters.get(meter).tags(tags).counter().count();
  }

  /** Returns the value of this gauge. */
  double gauge(String meter) {
    return meters.get(meter).gauge().value();
  }

  private static SchedulingConfig scheduling(int rangeSlots) {
    return Records.with(
        SchedulingConfig.defaults(),
        "rangeSlots",
        rangeSlots,
        "rangeSlotsStart",
        8,
        "rangeSlotsMin",
        2,
        "rangeShare",
        0,
        "hedgeShare",
        0,
        "readTimeout",
        TIMEOUT,
        "rangeTimeout",
        TIMEOUT,
        "pointBacklog",
        0.5,
        "rangeBacklog",
        0.3);
  }

  private static ClusterView view() {
    Map<NodeId, Node> nodes = new LinkedHashMap<>();
    List<Token> ends = new ArrayList<>();
    List<List<NodeId>> owners = new ArrayList<>();
    for (int i = 1; i <= NODES; i++) {
      InetSocketAddress address = InetSocketAddress.createUnresolved("n" + i, 9042);
      nodes.put(id(i), new Node(id(i), address, "dc1", "r1", true));
      ends.add(new Token.Murmur3(100L * i));
      owners.add(List.of(id(i), id(i % NODES + 1)));
    }
    return new ClusterView(
        new Ring(
            TestPartitioner.INT_KEYS, "dc1", nodes, Map.of("ks", new Ring.Replicas(ends, owners))),
        (keyspace, table) -> new Table("ks", "t", List.of(new Table.KeyColumn("k", "int"))),
        Map.of(),
        Map.of());
  }

  private static NodeId id(int node) {
    return new NodeId(new UUID(0, node));
  }

  /** Publishes this number of partitions as counted by nodes, evenly spread over the whole ring. */
  void counted(long partitions) {
    densities.published(
        new Estimates(
            Map.of(
                new TableName("ks", "t"),
                List.of(new Estimates.Counted(TokenRange.ALL, partitions, 50)))));
  }

  /** Makes the view of the cluster lose the table. */
  void unknownTable() {
    ClusterView view = cluster.view();
    cluster.becomes(new ClusterView(view.ring(), (keyspace, name) -> null, Map.of(), Map.of()));
  }

  /** Sets the operator's timeout of range reads. */
  void rangeTimeout(Duration timeout) {
    settings.updateAndGet(
        now ->
            Records.with(
                now, "scheduling", Records.with(now.scheduling(), "rangeTimeout", timeout)));
  }

  /** Lets the nodes say that they work on a range read for this time. */
  void nodesWorkFor(Duration range) {
    Duration other = Duration.ofSeconds(1);
    ClusterView view = cluster.view();
    cluster.becomes(
        new ClusterView(
            view.ring(),
            view.catalog(),
            view.pools(),
            view.agents(),
            new NodeTimeouts(other, range, other, other, other, other, other, other)));
  }

  /** Returns how many range reads have shown that their node is overloaded. */
  long overloaded() {
    return scheduler.snapshot().nodes().stream().mapToLong(node -> node.range().overloaded()).sum();
  }

  /** Starts to read a page. */
  Page page(String cql, int pageSize) {
    return page(cql, pageSize, null);
  }

  /** Starts to read a page from where another one ended. */
  Page page(String cql, int pageSize, @Nullable ByteBuffer state) {
    Page page = new Page(reads, asked(TestFrames.page(cql, pageSize, state)), lane);
    pages.add(page);
    page.read.start();
    lane.runSoon();
    return page;
  }

  /** Reads the statement of a client's request. */
  Statement statement(Frame request) {
    try {
      return reader.read(request, client, cluster.view());
    } catch (StatementReader.UnknownStatement e) {
      throw new AssertionError(e);
    }
  }

  /** Starts a read that is planned as a whole read of node 1 with this number of rows. */
  void whole(Frame request, double rows) {
    Statement statement = statement(request);
    reads
        .exchange(
            new ClientRequest(request, client, new Reply()),
            statement,
            Objects.requireNonNull(statement.range()),
            new Plan.Queue(List.of(id(1)), PriorityClass.RANGE, rows, Integer.MAX_VALUE, 0),
            () -> {
              throw new AssertionError("no page is read again");
            })
        .start();
    lane.runSoon();
  }

  /** Returns the estimated work that is queued or in flight, in microseconds. */
  double backlog() {
    return scheduler.snapshot().nodes().stream().mapToDouble(NodeState::backlogMicros).sum();
  }

  private RangePage asked(Frame request) {
    Statement statement = statement(request);
    RangeStatement range = Objects.requireNonNull(statement.range());
    StatementDigest digest = range.digest(Objects.requireNonNull(statement.classified().select()));
    ByteBuffer state = range.parameters().pagingState();
    ResumePoint from = null;
    if (state != null) {
      Token minimum = cluster.view().ring().partitioner().minimum();
      from = ((ClientPagingState.Sound) Merger.readState(state, digest, minimum)).point();
    }
    return new RangePage(client, request, statement, range, digest, from, lane.nanoTime());
  }

  /** Returns all requests that the nodes have received and not answered, in ring order. */
  List<Sent> sent() {
    List<Sent> sent = new ArrayList<>();
    for (int node = 1; node <= NODES; node++) {
      for (MemoryNodes.Asked next = nodes.next(node); next != null; next = nodes.next(node)) {
        sent.add(new Sent(node, next, answers));
      }
    }
    sent.sort((one, other) -> Long.compare(one.upTo(), other.upTo()));
    return sent;
  }

  /** Lets all nodes answer with the rows of this table until no request is left. */
  void serve(FakeTable table) {
    for (List<Sent> sent = sent(); !sent.isEmpty(); sent = sent()) {
      sent.forEach(each -> each.answer(table));
    }
  }

  /** Reads the whole table, so that its density is known. */
  void learn(FakeTable table) {
    Page page = page(ALL, -1);
    serve(table);
    assertThat(page.told).containsExactly("rows " + table.keys());
  }

  /** Returns the number of reads that hold a slot at a node or wait for one. */
  long slots() {
    return scheduler.snapshot().nodes().stream()
        .mapToLong(node -> node.range().inFlight() + node.range().queued())
        .sum();
  }

  /**
   * Returns the number of turns that nodes have given to range reads, including turns given back
   * unused.
   */
  long turns() {
    return scheduler.snapshot().nodes().stream().mapToLong(node -> node.range().dispatched()).sum();
  }

  /** Checks that no page holds a slot, a place in a queue, memory, a request or an answer. */
  @Override
  public void close() {
    assertThat(slots()).as("slots held or waited for").isZero();
    assertThat(client.buffered).as("bytes held for the client").isZero();
    assertThat(reads.isIdle()).as("neither memory nor a shared read is left").isTrue();
    nodes.close();
    assertThat(answers).as("answers of nodes").allMatch(TestFrames::isReleased);
    for (Page page : pages) {
      assertThat(page.told).as("told once").hasSizeLessThanOrEqualTo(1);
      page.request.release();
      assertThat(TestFrames.isReleased(page.request)).as("the client's request").isTrue();
    }
  }
}
