package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.accept.ListenConfig;
import io.sluice.console.ConsoleConfig;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.exchange.NodeAgentConfig;
import io.sluice.link.LinkConfig;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.TestPartitioner;
import io.sluice.time.SystemTime;
import io.sluice.watch.ClusterConfig;
import io.sluice.watch.ClusterView;
import io.sluice.watch.TestCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Other proxies by a name: the proxy shows what the name stands for. */
class ProxyPeersTest {
  private static final InetSocketAddress SELF = new InetSocketAddress("127.0.0.9", 9042);

  private static Proxy proxy(InetSocketAddress... peers) throws IOException {
    ClusterConfig nodes =
        new ClusterConfig(
            List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)),
            "dc",
            null,
            Duration.ofSeconds(1));
    ProxyConfig config =
        new ProxyConfig(
            ListenConfig.on("localhost", 0),
            nodes,
            LinkConfig.defaults(),
            SchedulingConfig.defaults(),
            SplitConfig.defaults(),
            NodeAgentConfig.defaults(),
            SELF,
            List.of(peers),
            Duration.ofSeconds(12),
            1,
            100,
            1 << 20,
            ConsoleConfig.defaults());
    NodeId id = new NodeId(new UUID(0, 1));
    Node node = new Node(id, nodes.contactPoints().get(0), "dc", "rack", true);
    Ring ring = new Ring(TestPartitioner.ANY, "dc", Map.of(id, node), Map.of());
    TestCluster cluster =
        new TestCluster(new ClusterView(ring, (keyspace, table) -> null, Map.of(), Map.of()));
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    Proxy.Learned learned = Proxy.Learned.nothing(config, registry);
    learned.listener(registry).changed(cluster.view());
    return Proxy.serve(config, registry, learned, cluster, () -> {});
  }

  private static String proxies(Proxy proxy) {
    CompletableFuture<String> rows = new CompletableFuture<>();
    proxy.select("SELECT proxy FROM system_proxy.proxies", rows::complete);
    return rows.orTimeout(20, TimeUnit.SECONDS).join();
  }

  @Test
  @Timeout(60)
  void what_a_name_stands_for_is_shown_beside_what_is_given() throws Exception {
    InetSocketAddress given = new InetSocketAddress("127.0.0.8", 9043);
    InetSocketAddress name = InetSocketAddress.createUnresolved("localhost", 9044);
    try (Proxy proxy = proxy(given, name)) {
      new SystemTime().await(() -> proxies(proxy).contains(":9044"), Duration.ofSeconds(20));

      assertThat(proxies(proxy)).contains("127.0.0.9:9042", "127.0.0.8:9043", "127.0.0.1:9044");
    }
  }

  @Test
  @Timeout(60)
  void a_name_of_nothing_is_no_proxy() throws Exception {
    try (Proxy proxy = proxy(InetSocketAddress.createUnresolved("none.invalid", 9044))) {
      assertThat(proxies(proxy)).isEqualTo("[{\"proxy\":\"127.0.0.9:9042\"}]");
    }
  }
}
