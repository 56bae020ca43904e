package io.sluice.meter;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.TestPartitioner;
import io.sluice.watch.AgentReport;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AgentMetersTest {

  private static final NodeId A = new NodeId(new UUID(0, 1));
  private static final NodeId B = new NodeId(new UUID(0, 2));

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AgentMeters meters = new AgentMeters(registry);

  AgentMetersTest() {
    meters.changed(ring(A, B));
  }

  private static Ring ring(NodeId... ids) {
    Map<NodeId, Node> nodes = new HashMap<>();
    for (NodeId id : ids) {
      int last = (int) id.hostId().getLeastSignificantBits();
      nodes.put(id, new Node(id, new InetSocketAddress("127.0.0." + last, 9042), "dc", "r", true));
    }
    return new Ring(TestPartitioner.ANY, "dc", nodes, Map.of());
  }

  private double gauge(String name, int node, String... tags) {
    return registry.get(name).tag("node", "127.0.0." + node + ":9042").tags(tags).gauge().value();
  }

  private double counter(String name, int node) {
    return registry.get(name).tag("node", "127.0.0." + node + ":9042").functionCounter().count();
  }

  @Test
  void meters_of_a_node_show_the_report_of_its_agent() {
    meters.reported(A, new AgentReport(true, 1, 2, 3, 4, 5, 6, 7, 1000));

    assertThat(gauge("sluice.node.agent", 1)).isEqualTo(1);
    assertThat(gauge("sluice.node.agent.enabled", 1)).isEqualTo(1);
    assertThat(gauge("sluice.node.agent.queued", 1, "lane", "local_point")).isEqualTo(1);
    assertThat(gauge("sluice.node.agent.queued", 1, "lane", "remote_point")).isEqualTo(2);
    assertThat(gauge("sluice.node.agent.queued", 1, "lane", "range")).isEqualTo(3);
    assertThat(counter("sluice.node.agent.overtakes", 1)).isEqualTo(4);
    assertThat(counter("sluice.node.agent.aged", 1)).isEqualTo(5);
    assertThat(counter("sluice.node.agent.unknown", 1)).isEqualTo(6);
    assertThat(counter("sluice.node.agent.widths.told", 1)).isEqualTo(7);
    assertThat(gauge("sluice.node.agent", 2)).isZero();
    assertThat(counter("sluice.node.agent.overtakes", 2)).isZero();
  }

  @Test
  void the_meters_of_a_removed_agent_are_zero() {
    meters.reported(A, new AgentReport(false, 0, 0, 9, 0, 0, 0, 0, 1000));
    assertThat(gauge("sluice.node.agent", 1)).isEqualTo(1);
    assertThat(gauge("sluice.node.agent.enabled", 1)).isZero();
    meters.reported(A, null);
    assertThat(gauge("sluice.node.agent", 1)).isZero();
    assertThat(gauge("sluice.node.agent.queued", 1, "lane", "range")).isZero();
  }

  @Test
  void meters_are_removed_with_their_node() {
    meters.changed(ring(B));
    assertThat(registry.getMeters()).isNotEmpty();
    assertThat(registry.getMeters())
        .allMatch(meter -> "127.0.0.2:9042".equals(meter.getId().getTag("node")));
  }
}
