package io.sluice;

import io.sluice.accept.ListenConfig;
import io.sluice.audit.AuditConfig;
import io.sluice.console.ConsoleConfig;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.exchange.NodeAgentConfig;
import io.sluice.fleet.FleetConfig;
import io.sluice.link.LinkConfig;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Partitioner;
import io.sluice.ring.Ring;
import io.sluice.ring.Token;
import io.sluice.usage.SlowLogConfig;
import io.sluice.watch.ClusterConfig;
import io.sluice.wire.Compression;
import io.sluice.wire.FakeNode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The settings of a {@link PathFixture}, and the ring of its nodes. */
final class PathSettings {

  private PathSettings() {}

  static ProxyConfig config(NodeAgentConfig nodeAgent, int rangeSlots) {
    SchedulingConfig from = SchedulingConfig.defaults();
    return new ProxyConfig(
        ListenConfig.on("localhost", 0),
        new ClusterConfig(
            List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)),
            "dc1",
            null,
            Duration.ofSeconds(1)),
        new LinkConfig(
            Compression.NONE,
            Duration.ofMillis(3000),
            Duration.ofMillis(200),
            Duration.ofMillis(500),
            Duration.ofSeconds(5),
            Duration.ofMinutes(1)),
        new SchedulingConfig(
            from.mode(),
            true,
            from.rangeOrder(),
            0,
            rangeSlots,
            8,
            2,
            0,
            0,
            PathFixture.READ_TIMEOUT,
            PathFixture.READ_TIMEOUT,
            0.5,
            0.3,
            0.5,
            Map.of()),
        PathFixture.SPLIT_OFF,
        nodeAgent,
        FleetConfig.alone(),
        Duration.ofMillis(1700),
        1,
        100,
        1 << 20,
        ConsoleConfig.defaults(),
        List.of(),
        SlowLogConfig.off(),
        AuditConfig.off());
  }

  /**
   * Returns a ring. Each node owns everything, or each pair of neighbours owns a piece.
   *
   * @param unreachable nodes besides {@code nodes} that accept no connection
   */
  static Ring ring(List<FakeNode> nodes, Partitioner partitioner, boolean pieces, int unreachable) {
    InetSocketAddress closed = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    Map<NodeId, Node> all = new LinkedHashMap<>();
    for (int i = 0; i < nodes.size() + unreachable; i++) {
      NodeId id = new NodeId(new UUID(0, i + 1));
      InetSocketAddress address = i < nodes.size() ? nodes.get(i).address() : closed;
      all.put(id, new Node(id, address, "dc1", "r1", true));
    }
    Map<String, Ring.Replicas> replicas =
        all.isEmpty()
            ? Map.of()
            : Map.of(
                "ks",
                pieces
                    ? pairs(List.copyOf(all.keySet()))
                    : new Ring.Replicas(
                        List.of(new Token.Murmur3(0)), List.of(List.copyOf(all.keySet()))));
    return new Ring(partitioner, "dc1", all, replicas);
  }

  private static Ring.Replicas pairs(List<NodeId> all) {
    List<Token> ends = new ArrayList<>();
    List<List<NodeId>> owners = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      ends.add(new Token.Murmur3(100L * (i + 1)));
      owners.add(List.of(all.get(i), all.get((i + 1) % all.size())));
    }
    return new Ring.Replicas(ends, owners);
  }
}
