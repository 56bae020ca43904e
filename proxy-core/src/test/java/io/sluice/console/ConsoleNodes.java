package io.sluice.console;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.audit.AuditConfig;
import io.sluice.audit.AuditLog;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.exchange.ExchangeConfig;
import io.sluice.exchange.ProxyContext;
import io.sluice.exchange.RunningRequests;
import io.sluice.exchange.TestClient;
import io.sluice.exchange.TestContext;
import io.sluice.link.MemoryNodes;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.TestPartitioner;
import io.sluice.statement.StatementReader;
import io.sluice.testkit.Records;
import io.sluice.time.TestLane;
import io.sluice.watch.ClusterView;
import io.sluice.watch.TestCluster;
import io.sluice.wire.Identity;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/** Two nodes in memory that the console may ask, a client, and the requests in flight. */
final class ConsoleNodes implements AutoCloseable {

  static final int NODES = 2;

  final TestLane lane = new TestLane();
  final MemoryNodes nodes = new MemoryNodes(lane);
  final TestClient client = new TestClient(4, lane);
  final TestCluster cluster = new TestCluster(view(NODES));
  final RunningRequests running = new RunningRequests();
  final AuditLog audit = new AuditLog(new AuditConfig(false, false, true, 20), () -> Instant.EPOCH);
  final StatementReader reader;
  final ProxyContext context;

  ConsoleNodes() {
    client.proven = Identity.plain("alice", "secret");
    SchedulingConfig scheduling = SchedulingConfig.defaults();
    ExchangeConfig config =
        new ExchangeConfig(
            Duration.ofSeconds(12), scheduling, Duration.ofSeconds(1), false, null, List.of());
    TestContext made =
        TestContext.of(
            new AtomicReference<>(config),
            lane,
            nodes,
            cluster,
            new Scheduler(scheduling, lane),
            new ScatterPlanner(SplitConfig.defaults()),
            new SimpleMeterRegistry());
    reader = made.reader();
    context = Records.with(made.proxy(), "running", running, "audit", audit);
  }

  private static ClusterView view(int count) {
    Map<NodeId, Node> nodes = new HashMap<>();
    for (int i = 1; i <= count; i++) {
      NodeId id = new NodeId(new UUID(0, i));
      InetSocketAddress address = InetSocketAddress.createUnresolved("n" + i, 9042);
      nodes.put(id, new Node(id, address, "dc1", "r1", true));
    }
    return new ClusterView(
        new Ring(TestPartitioner.ANY, "dc1", nodes, Map.of()),
        (keyspace, table) -> null,
        Map.of(),
        Map.of());
  }

  /** Removes all nodes. */
  void forgetNodes() {
    cluster.becomes(view(0));
  }

  /** Returns the number of the node that has got a request, with the request. */
  Question question() {
    for (int node = 1; node <= NODES; node++) {
      MemoryNodes.Asked asked = nodes.next(node);
      if (asked != null) {
        return new Question(node, asked);
      }
    }
    throw new AssertionError("no node is asked");
  }

  /** Whether a node has got a request. */
  boolean isAsked() {
    for (int node = 1; node <= NODES; node++) {
      MemoryNodes.Asked asked = nodes.next(node);
      if (asked != null) {
        asked.ignore();
        return true;
      }
    }
    return false;
  }

  /** A request to a node. */
  record Question(int node, MemoryNodes.Asked asked) {}

  @Override
  public void close() {
    nodes.close();
  }
}
