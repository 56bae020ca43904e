package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.accept.ClientFacts;
import io.sluice.accept.ClientHandler;
import io.sluice.accept.ClientRequest;
import io.sluice.audit.AuditConfig;
import io.sluice.audit.AuditLog;
import io.sluice.console.Console;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.predict.Densities;
import io.sluice.decide.rule.Rules;
import io.sluice.decide.schedule.NodeLimits;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.decide.shadow.Shadow;
import io.sluice.decide.shadow.Shadow.ShadowListener;
import io.sluice.exchange.ExchangeConfig;
import io.sluice.exchange.Hedges;
import io.sluice.exchange.NodeAgentConfig;
import io.sluice.exchange.NodeHealth;
import io.sluice.exchange.ProxyContext;
import io.sluice.exchange.ResponseHandler;
import io.sluice.exchange.RunningRequests;
import io.sluice.exchange.SchemaHomes;
import io.sluice.exchange.TestClient;
import io.sluice.exchange.range.RangeReads;
import io.sluice.execute.dispatch.Dispatcher;
import io.sluice.link.LinkPool;
import io.sluice.link.LinkTarget;
import io.sluice.memory.MemoryBudget;
import io.sluice.meter.HedgeMeters;
import io.sluice.meter.NodeMeters;
import io.sluice.meter.ProxyMeters;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Partitioner;
import io.sluice.ring.Ring;
import io.sluice.ring.TestPartitioner;
import io.sluice.statement.PreparedCache;
import io.sluice.statement.StatementReader;
import io.sluice.testkit.Records;
import io.sluice.time.Lane;
import io.sluice.time.SystemTime;
import io.sluice.tls.Tls;
import io.sluice.tls.TlsConfig;
import io.sluice.trace.Tracer;
import io.sluice.usage.Usage;
import io.sluice.watch.TestCluster;
import io.sluice.wire.EventLoops;
import io.sluice.wire.FakeNode;
import io.sluice.wire.Frame;
import io.sluice.wire.TestFrames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/**
 * The whole request path between a fake client and fake nodes on loopback. Each node owns all of
 * {@code ks.t} with the key {@code k int}. Reads time out after 1500 ms, other requests after 1700.
 */
final class PathFixture implements AutoCloseable {

  static final Duration READ_TIMEOUT = Duration.ofMillis(1500);

  final List<FakeNode> nodes = new ArrayList<>();
  final PathView view;
  final TestCluster cluster;
  final NodeHealth health;
  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  final MemoryBudget memory = new MemoryBudget(64 << 20);
  final Scheduler scheduler;
  final Shadow shadow;
  final AtomicReference<ExchangeConfig> settings;
  final RangeReads rangeReads;
  final Densities densities = new Densities();
  final RequestPath path;

  static final SplitConfig SPLIT_OFF =
      new SplitConfig(SplitConfig.Parallel.OFF, 1000, 0, 1, 1 << 20, false);

  private static final int FOUND_BY_MEASURING = 0;

  /** The connections that {@code system_proxy.clients} shows. */
  final List<ClientFacts> clients = new ArrayList<>();

  /** The rules of operators; none at first. */
  final Rules rules = new Rules(List.of(), new SystemTime());

  /** The time in the audit log. */
  volatile Instant auditTime = Instant.EPOCH;

  final AuditLog audit = new AuditLog(AuditConfig.off(), () -> auditTime);

  /** The tracer; null at first. */
  volatile @Nullable Tracer tracer;

  final FakeHost host;
  private final EventLoops loops = new EventLoops(1);
  final Lane lane = loops.anyLane();
  final TestClient client = new TestClient(4, lane);
  final Console console;
  private final LinkPool links;
  private final Queue<Asked> allAsked = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  /** The last handshake, used on the lane; null at first. */
  ClientHandler.@Nullable Handshake handshake;

  /** Exceptions from handling requests. In production each would close a client's connection. */
  private final Queue<RuntimeException> thrown = new ConcurrentLinkedQueue<>();

  /** Creates nodes; range reads are not split. */
  PathFixture(int nodeCount) {
    this(nodeCount, SPLIT_OFF);
  }

  /**
   * Creates nodes; range reads are split as {@code split} says. With at least two nodes, each pair
   * of neighbours owns one of the pieces that end at tokens 100, 200 and so on.
   */
  PathFixture(int nodeCount, SplitConfig split) {
    this(nodeCount, split, NodeAgentConfig.defaults());
  }

  /** Creates such nodes, whose agents get hints as {@code nodeAgent} says. */
  PathFixture(int nodeCount, SplitConfig split, NodeAgentConfig nodeAgent) {
    this(nodeCount, split, nodeAgent, FOUND_BY_MEASURING, TestPartitioner.ANY);
  }

  /** Creates such nodes with this number of range slots each. */
  PathFixture(
      int nodeCount,
      SplitConfig split,
      NodeAgentConfig nodeAgent,
      int rangeSlots,
      Partitioner partitioner) {
    this(nodeCount, 0, PathSettings.config(nodeAgent, rangeSlots).withSplit(split), partitioner);
  }

  /** Creates nodes that accept no connection. */
  static PathFixture unreachable(int count) {
    ProxyConfig config = PathSettings.config(NodeAgentConfig.defaults(), FOUND_BY_MEASURING);
    return new PathFixture(0, count, config, TestPartitioner.ANY);
  }

  /**
   * Creates nodes that may respond late: links and range reads wait ten seconds for them. On a busy
   * machine, another fixture's reads may go to a second node although the first is alive.
   */
  static PathFixture patient(int nodeCount, SplitConfig split) {
    ProxyConfig config =
        PathSettings.config(NodeAgentConfig.defaults(), FOUND_BY_MEASURING).withSplit(split);
    PathFixture fixture =
        new PathFixture(nodeCount, 0, PathSettings.patient(config), TestPartitioner.ANY);
    fixture.readsMayTake(Duration.ofSeconds(10));
    return fixture;
  }

  private PathFixture(int nodeCount, int unreachable, ProxyConfig config, Partitioner partitioner) {
    boolean pieces = nodeCount > 1 && config.split().parallel() != SplitConfig.Parallel.OFF;
    for (int i = 0; i < nodeCount; i++) {
      nodes.add(new FakeNode().identified(new UUID(0, i + 1)));
    }
    view = new PathView(nodes, unreachable, pieces, partitioner);
    cluster = view.cluster;
    Ring ring = view.ring();
    SystemTime clock = new SystemTime();
    host = new FakeHost(config);
    shadow = new Shadow(config.scheduling(), clock, ShadowListener.NONE);
    scheduler = new Scheduler(config.scheduling(), clock, shadow);
    scheduler.nodes(ring.local().stream().map(node -> new NodeLimits(node.id(), 32)).toList());
    health = new NodeHealth(scheduler::standing);
    links =
        new LinkPool(
            loops,
            LinkTarget.NODE,
            Tls.off(TlsConfig.Side.NODE),
            config.links(),
            MemoryBudget.unlimited(),
            clock,
            health);
    PreparedCache prepared = new PreparedCache(100, 1 << 20);
    ScatterPlanner planner = new ScatterPlanner(config.split());
    StatementReader reader = new StatementReader(prepared, planner);
    SchemaHomes schemaHomes = new SchemaHomes(health);
    ProxyMeters proxyMeters = new ProxyMeters(meters);
    proxyMeters.changed(ring);
    new NodeMeters(meters, scheduler, clock).changed(ring);
    ResponseHandler answers = new ResponseHandler(reader, cluster, proxyMeters, schemaHomes);
    Dispatcher dispatcher = new Dispatcher(links, prepared);
    settings = new AtomicReference<>(config.exchange());
    ProxyContext context =
        new ProxyContext(
            settings,
            clock,
            cluster,
            health,
            scheduler,
            dispatcher,
            answers,
            schemaHomes,
            new RunningRequests(),
            new Hedges(clock, new HedgeMeters(new SimpleMeterRegistry())),
            new Usage(config.console().statements(), clock),
            rules,
            audit,
            traceparent -> tracer == null ? null : tracer.begin(traceparent));
    rangeReads = new RangeReads(context, planner, densities, prepared, memory, meters);
    console =
        new Console(
            context,
            config.console(),
            new Console.Sources(
                (to, then) -> then.accept(clients),
                links::facts,
                () -> prepared.facts(100),
                densities,
                shadow::states,
                host,
                () -> Instant.EPOCH));
    path = new RequestPath(context, links, reader, rangeReads, new EventHub(), console);
  }

  /** Sets the mode of the scheduler, as requests see it. */
  void mode(Mode mode) {
    settings.updateAndGet(now -> Records.with(now, "scheduling", TestScheduling.mode(mode)));
  }

  /** Sets the time that a read may take. */
  void readsMayTake(Duration time) {
    settings.updateAndGet(
        now ->
            Records.with(
                now,
                "scheduling",
                Records.with(now.scheduling(), "readTimeout", time, "rangeTimeout", time)));
  }

  /** Sets the script of all nodes. */
  void allDo(FakeNode.Script script) {
    nodes.forEach(node -> node.does(script));
  }

  /** Returns a script that kills the asked node. Other nodes may just be accepting connections. */
  FakeNode.Script dies() {
    return request -> {
      nodes.stream().filter(node -> !node.heard.isEmpty()).forEach(FakeNode::die);
      return null;
    };
  }

  /** Makes a node silent on its links. */
  void isSilent(FakeNode node) {
    health.suspect(new NodeId(new UUID(0, nodes.indexOf(node) + 1)), true);
  }

  Asked ask(Frame frame) {
    Asked asked = new Asked(frame);
    onLane(() -> path.handle(new ClientRequest(frame, client, asked)));
    return asked;
  }

  private void onLane(Runnable handling) {
    lane.execute(
        () -> {
          try {
            handling.run();
          } catch (RuntimeException e) {
            thrown.add(e);
          }
        });
  }

  /** Starts a handshake. */
  Asked startup(Frame frame) {
    Asked asked = new Asked(frame);
    onLane(
        () ->
            handshake =
                path.startup(
                    new ClientRequest(frame, client, asked), Map.of("CQL_VERSION", "3.0.0")));
    return asked;
  }

  /** Continues the handshake of {@link #startup} with a proof. */
  Asked proves(Frame frame) {
    Asked asked = new Asked(frame);
    onLane(
        () -> {
          if (handshake != null) {
            handshake.authResponse(new ClientRequest(frame, client, asked));
          }
        });
    return asked;
  }

  /** Returns the number of requests that all nodes have received. */
  int heard() {
    return nodes.stream().mapToInt(node -> node.heard.size()).sum();
  }

  /** Returns the count of this meter. */
  double counted(String meter) {
    return meters.get(meter).counter().count();
  }

  /** Returns the memory that range reads hold or expect. */
  double buffered() {
    return meters.get("sluice.split.buffered.bytes").gauge().value();
  }

  /** Returns the number of reads that hold a slot. */
  long slotsHeld() {
    return scheduler.snapshot().nodes().stream()
        .mapToLong(node -> node.point().inFlight() + node.range().inFlight())
        .sum();
  }

  /** Returns the number of range reads that wait for a slot. */
  int rangesQueued() {
    return scheduler.snapshot().nodes().stream().mapToInt(node -> node.range().queued()).sum();
  }

  /** Takes all range slots of each node for another user, and queues one more read of that user. */
  FullSlots fillRangeSlots() {
    FullSlots full = new FullSlots();
    for (Node node : cluster.view().ring().local()) {
      int before = rangesQueued();
      while (rangesQueued() == before) {
        scheduler.submit(full.read(scheduler, node));
      }
    }
    return full;
  }

  /** A request and its outcome. */
  final class Asked extends ReceivedAnswer {
    final Frame request;

    Asked(Frame request) {
      this.request = request;
      allAsked.add(this);
    }

    @Override
    boolean isOver() {
      return closed;
    }

    @Override
    void awaitEnd() {
      promptly()
          .atMost(Duration.ofSeconds(10))
          .until(
              () ->
                  TestFrames.isReleased(request)
                      && slotsHeld() == 0
                      && client.pointReads.underWay() == 0);
      awaitLane();
    }
  }

  /** Returns a wait that looks often, as hundreds of tests wait for what takes a millisecond. */
  private static ConditionFactory promptly() {
    return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1));
  }

  /** Waits until the lane has done what it is doing and what is to be done next. */
  private void awaitLane() {
    AtomicBoolean handled = new AtomicBoolean();
    lane.execute(() -> handled.set(true));
    promptly().untilTrue(handled);
  }

  @Override
  public void close() {
    awaitLane();
    closed = true;
    allAsked.forEach(Asked::releaseAll);
    links.close();
    nodes.forEach(FakeNode::close);
    loops.close();
    assertThat(thrown).isEmpty();
  }
}
