package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.accept.ListenConfig;
import io.sluice.audit.AuditConfig;
import io.sluice.console.ConsoleConfig;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.exchange.NodeAgentConfig;
import io.sluice.fleet.FleetConfig;
import io.sluice.link.LinkConfig;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.TestPartitioner;
import io.sluice.testkit.FreePorts;
import io.sluice.time.SystemTime;
import io.sluice.usage.SlowLogConfig;
import io.sluice.watch.ClusterConfig;
import io.sluice.watch.ClusterView;
import io.sluice.watch.FleetTables;
import io.sluice.watch.FleetTables.FleetTable;
import io.sluice.watch.FleetTables.LearnedTable;
import io.sluice.watch.TestCluster;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests other proxies, found by name or by their heartbeats, as the proxy shows them. */
class ProxyPeersTest {
  private static final InetSocketAddress SELF = new InetSocketAddress("127.0.0.9", 9042);

  /** Requests of protocol v4. */
  private static final String OPTIONS = "040000010500000000";

  private static final String STARTUP =
      "0400000101000000160001000b43514c5f56455253494f4e0005332e302e30";

  private static Proxy proxy(InetSocketAddress... peers) throws IOException {
    return proxy(new FleetConfig(SELF, List.of(peers), false), null);
  }

  private static Proxy proxy(FleetConfig fleet, @Nullable FleetTable table) throws IOException {
    return proxy(0, fleet, table);
  }

  private static Proxy proxy(int port, FleetConfig fleet, @Nullable FleetTable table)
      throws IOException {
    ClusterConfig nodes =
        new ClusterConfig(
            List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)),
            "dc",
            null,
            Duration.ofSeconds(1));
    ProxyConfig config =
        new ProxyConfig(
            ListenConfig.on("localhost", port),
            nodes,
            LinkConfig.defaults(),
            SchedulingConfig.defaults(),
            SplitConfig.defaults(),
            NodeAgentConfig.defaults(),
            fleet,
            Duration.ofSeconds(12),
            1,
            100,
            1 << 20,
            ConsoleConfig.defaults(),
            List.of(),
            SlowLogConfig.off(),
            AuditConfig.off());
    NodeId id = new NodeId(new UUID(0, 1));
    Node node = new Node(id, nodes.contactPoints().get(0), "dc", "rack", true);
    Ring ring = new Ring(TestPartitioner.ANY, "dc", Map.of(id, node), Map.of());
    TestCluster cluster =
        new TestCluster(new ClusterView(ring, (keyspace, name) -> null, Map.of(), Map.of()));
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    ClusterState state = ClusterState.initial(config, registry);
    state.listener().changed(cluster.view());
    FleetTables tables = table == null ? null : new FleetTables(table, new NothingLearned());
    return ProxyAssembly.serve(config, registry, state, cluster, tables, () -> {});
  }

  private static String proxies(Proxy proxy) {
    CompletableFuture<String> rows = new CompletableFuture<>();
    proxy.select("SELECT proxy FROM system_proxy.proxies", rows::complete);
    return rows.orTimeout(20, TimeUnit.SECONDS).join();
  }

  @Test
  @Timeout(60)
  void the_addresses_of_a_name_are_shown_besides_the_configured_ones() throws Exception {
    InetSocketAddress given = new InetSocketAddress("127.0.0.8", 9043);
    InetSocketAddress name = InetSocketAddress.createUnresolved("localhost", 9044);
    try (Proxy proxy = proxy(given, name)) {
      new SystemTime().await(() -> proxies(proxy).contains(":9044"), Duration.ofSeconds(20));

      assertThat(proxies(proxy)).contains("127.0.0.9:9042", "127.0.0.8:9043", "127.0.0.1:9044");
    }
  }

  /** An empty table. */
  private static final class NothingLearned implements LearnedTable {
    @Override
    public CompletionStage<List<LearnedTable.Row>> read() {
      return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public CompletionStage<?> write(InetSocketAddress own, ByteBuffer learned) {
      return CompletableFuture.failedFuture(new IOException("nothing to write"));
    }
  }

  /** A table with one other proxy, whose heartbeat changes with every look. */
  private static final class OneOther implements FleetTable {
    private static final InetSocketAddress OTHER = new InetSocketAddress("127.0.0.7", 9042);

    private final Map<UUID, FleetTable.Row> rows = new ConcurrentHashMap<>();
    private final List<FleetTable.Row> written = new CopyOnWriteArrayList<>();
    private final AtomicLong looks = new AtomicLong();
    private volatile Consumer<FleetTable.Row> whenWritten = row -> {};

    @Override
    public synchronized CompletionStage<List<FleetTable.Row>> read() {
      List<FleetTable.Row> read = new ArrayList<>(rows.values());
      read.add(new FleetTable.Row(new UUID(0, 7), OTHER, looks.incrementAndGet()));
      return CompletableFuture.completedFuture(read);
    }

    @Override
    public CompletionStage<?> write(FleetTable.Row own, long micros) {
      rows.put(own.instance(), own);
      written.add(own);
      whenWritten.accept(own);
      return CompletableFuture.completedFuture(own);
    }
  }

  @Test
  @Timeout(60)
  void a_proxy_is_in_the_table_of_the_fleet_until_it_drains_and_shows_the_others()
      throws Exception {
    OneOther table = new OneOther();
    try (Proxy proxy = proxy(new FleetConfig(SELF, List.of(), true), table)) {
      new SystemTime().await(() -> proxies(proxy).contains("127.0.0.7"), Duration.ofSeconds(20));

      assertThat(proxies(proxy)).contains("127.0.0.9:9042", "127.0.0.7:9042");
      assertThat(table.rows.values()).extracting(FleetTable.Row::address).containsExactly(SELF);
      proxy.drain(Duration.ofSeconds(20));
      assertThat(table.rows.values()).singleElement().matches(FleetTable.Row::isDeparture);
    }
  }

  /** Pieces of other proxies would wait for it before. */
  @Test
  @Timeout(60)
  void a_proxy_is_a_home_from_the_moment_it_serves() throws Exception {
    InetSocketAddress listening =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.next());
    List<String> answers = new CopyOnWriteArrayList<>();
    OneOther table = new OneOther();
    table.whenWritten =
        row -> {
          if (row.secret() != null && answers.isEmpty()) {
            answers.add(answer(listening, STARTUP));
          }
        };
    FleetConfig homes = new FleetConfig(SELF, List.of(), true, true);
    try (Proxy proxy = proxy(listening.getPort(), homes, table)) {
      assertThat(proxy.address()).isEqualTo(listening);
      assertThat(table.written).first().extracting(FleetTable.Row::secret).isNull();
      assertThat(table.written).last().extracting(FleetTable.Row::secret).isNotNull();
      assertThat(answers)
          .as("the login, which here finds no node, and waits until the proxy serves")
          .singleElement()
          .asString()
          .contains("could not reach a node");
    }
  }

  /** Pieces of other proxies would be refused. */
  @Test
  @Timeout(60)
  void a_proxy_that_drains_leaves_the_table_while_it_still_serves() throws Exception {
    List<String> answers = new CopyOnWriteArrayList<>();
    OneOther table = new OneOther();
    try (Proxy proxy = proxy(new FleetConfig(SELF, List.of(), true), table)) {
      table.whenWritten =
          row -> {
            if (row.isDeparture()) {
              answers.add(answer(proxy.address(), OPTIONS));
            }
          };
      proxy.drain(Duration.ofSeconds(20));
      assertThat(answers).singleElement().asString().contains("CQL_VERSION");
    }
  }

  /**
   * Sends a request on a connection of its own. Returns the body of the answer, of which only the
   * words can be read, or why there is none.
   */
  private static String answer(InetSocketAddress proxy, String request) {
    try (Socket socket = new Socket(proxy.getAddress(), proxy.getPort())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(HexFormat.of().parseHex(request));
      DataInputStream in = new DataInputStream(socket.getInputStream());
      in.skipNBytes(5);
      return new String(in.readNBytes(in.readInt()), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  @Timeout(60)
  void a_proxy_without_the_setting_does_not_touch_the_table() throws Exception {
    OneOther table = new OneOther();
    try (Proxy proxy = proxy(new FleetConfig(SELF, List.of(), false), table)) {
      assertThat(proxies(proxy)).doesNotContain("127.0.0.7");
      proxy.drain(Duration.ofSeconds(20));
    }
    assertThat(table.rows).isEmpty();
    assertThat(table.looks).hasValue(0);
  }

  @Test
  @Timeout(60)
  void a_name_without_an_address_is_no_proxy() throws Exception {
    try (Proxy proxy = proxy(InetSocketAddress.createUnresolved("none.invalid", 9044))) {
      assertThat(proxies(proxy)).isEqualTo("[{\"proxy\":\"127.0.0.9:9042\"}]");
    }
  }
}
