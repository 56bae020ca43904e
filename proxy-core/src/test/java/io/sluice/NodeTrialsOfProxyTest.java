package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.accept.ListenConfig;
import io.sluice.audit.AuditConfig;
import io.sluice.console.ConsoleConfig;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.exchange.NodeAgentConfig;
import io.sluice.exchange.NodeHealth;
import io.sluice.fleet.FleetConfig;
import io.sluice.link.LinkConfig;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.TestPartitioner;
import io.sluice.usage.SlowLogConfig;
import io.sluice.watch.ClusterConfig;
import io.sluice.watch.ClusterView;
import io.sluice.watch.TestCluster;
import io.sluice.wire.FakeNode;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a started proxy tries the nodes that the cluster reports down. */
class NodeTrialsOfProxyTest {

  private static final NodeId NEAR = new NodeId(new UUID(0, 1));
  private static final NodeId FAR = new NodeId(new UUID(0, 2));

  private static ProxyConfig config(InetSocketAddress contactPoint) {
    return new ProxyConfig(
        ListenConfig.on("localhost", 0),
        new ClusterConfig(List.of(contactPoint), "near", null, Duration.ofSeconds(1)),
        LinkConfig.defaults(),
        SchedulingConfig.defaults(),
        SplitConfig.defaults(),
        NodeAgentConfig.defaults(),
        new FleetConfig(null, List.of(), false),
        Duration.ofSeconds(12),
        1,
        100,
        1 << 20,
        ConsoleConfig.defaults(),
        List.of(new Rule("away", null, null, null, null, null, null).to("far")),
        SlowLogConfig.off(),
        AuditConfig.off());
  }

  /** The driver has no connection to the node, and the event that reports it up may be lost. */
  @Test
  @Timeout(60)
  void a_node_of_another_data_centre_that_is_reported_down_and_answers_is_used() throws Exception {
    try (FakeNode node = new FakeNode().identified(FAR.hostId())) {
      ProxyConfig config = config(node.address());
      Map<NodeId, Node> nodes =
          Map.of(
              NEAR, new Node(NEAR, node.address(), "near", "r", true),
              FAR, new Node(FAR, node.address(), "far", "r", false));
      Ring ring = Ring.of(TestPartitioner.ANY, "near", nodes, Map.of());
      TestCluster cluster =
          new TestCluster(new ClusterView(ring, (keyspace, name) -> null, Map.of(), Map.of()));
      ClusterState state = ClusterState.initial(config, new SimpleMeterRegistry());
      state.listener().changed(cluster.view());
      NodeHealth health = state.health();
      assertThat(health.isDown(FAR)).isTrue();

      Proxy proxy =
          ProxyAssembly.serve(config, new SimpleMeterRegistry(), state, cluster, null, () -> {});
      try (proxy) {
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> !health.isDown(FAR));
      }
    }
  }
}
