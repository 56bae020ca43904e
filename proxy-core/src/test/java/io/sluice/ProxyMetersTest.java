package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.accept.ListenConfig;
import io.sluice.audit.AuditConfig;
import io.sluice.console.ConsoleConfig;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.exchange.NodeAgentConfig;
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
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the meters of a started proxy: all meters that the documents name exist. */
class ProxyMetersTest {
  private static final Pattern NAME = Pattern.compile("\\bsluice_[a-z_]+[a-z]");

  /** The meters of the process and those of a fleet, which have their own tests. */
  private static final Pattern ELSEWHERE =
      Pattern.compile("sluice_(configuration|fleet|ready|build|traces|bench|evaluate)_?.*");

  /** Returns a cluster of one node, which gets no requests. */
  private static TestCluster oneNode() {
    NodeId id = new NodeId(new UUID(0, 1));
    Node node =
        new Node(
            id, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), "dc", "rack", true);
    return new TestCluster(
        new ClusterView(
            new Ring(TestPartitioner.ANY, "dc", Map.of(id, node), Map.of()),
            (keyspace, table) -> null,
            Map.of(),
            Map.of()));
  }

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private Proxy proxy;

  private static Rule fewRequests() {
    Rule.Limits limits = new Rule.Limits(null, 1, null, null, null);
    Rule.Match reports =
        new Rule.Match(List.of("reports"), null, null, null, null, null, null, null, null, null);
    return new Rule("few", reports, limits, null, null, null, null);
  }

  private static ProxyConfig config() {
    return new ProxyConfig(
        ListenConfig.on("localhost", 0),
        new ClusterConfig(
            List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)),
            "dc",
            null,
            Duration.ofSeconds(1)),
        LinkConfig.defaults(),
        SchedulingConfig.defaults(),
        SplitConfig.defaults(),
        NodeAgentConfig.defaults(),
        new FleetConfig(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), List.of(), true, true),
        Duration.ofSeconds(12),
        1,
        100,
        1 << 20,
        ConsoleConfig.defaults(),
        List.of(fewRequests()),
        SlowLogConfig.off(),
        AuditConfig.off());
  }

  @BeforeEach
  void start() throws IOException {
    ProxyConfig config = config();
    TestCluster cluster = oneNode();
    ClusterState state = ClusterState.initial(config, registry);
    state.listener().changed(cluster.view());
    proxy = ProxyAssembly.serve(config, registry, state, cluster, null, () -> {});
  }

  @AfterEach
  void close() {
    proxy.close();
  }

  @Test
  void every_meter_that_the_documents_name_exists() throws IOException {
    Collection<String> missing = new TreeSet<>();
    for (Path file : documents()) {
      Matcher names = NAME.matcher(Files.readString(file));
      while (names.find()) {
        if (!ELSEWHERE.matcher(names.group()).matches() && !exists(names.group())) {
          missing.add(names.group() + " in " + file.getFileName());
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  private static List<Path> documents() throws IOException {
    Path root = Path.of("..");
    List<Path> documents = new ArrayList<>();
    for (String name : List.of("README.md", "ARCHITECTURE.md", "CHANGELOG.md")) {
      documents.add(root.resolve(name));
    }
    try (Stream<Path> docs = Files.walk(root.resolve("docs"))) {
      docs.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
    }
    return documents;
  }

  /** Whether a meter exists. A document may name a family by a prefix; timers are in seconds. */
  private boolean exists(String name) {
    return registry.getMeters().stream()
        .map(meter -> meter.getId().getName().replace('.', '_'))
        .anyMatch(
            each ->
                name.equals(each)
                    || name.equals(each + "_total")
                    || name.equals(each + "_seconds")
                    || name.equals(each + "_seconds_sum")
                    || each.startsWith(name));
  }

  /** A query for an event that has not happened yet finds 0 and no gap. */
  @Test
  void families_with_labels_exist_before_the_first_event() {
    assertThat(sum("sluice.errors", "origin", "node", "error", "overloaded")).isZero();
    assertThat(sum("sluice.errors", "origin", "fault", "error", "server_error")).isZero();
    for (String reason : List.of("overloaded", "deadline", "unavailable", "rule", "memory")) {
      assertThat(sum("sluice.refused", "reason", reason, "class", "range")).as(reason).isZero();
    }
    assertThat(registry.get("sluice.read.phase").timers()).hasSize(7);
    assertThat(registry.get("sluice.client.drivers").tag("driver", "java").gauge().value())
        .isZero();
    assertThat(sum("sluice.point.wait.behind.ranges.seconds")).isZero();
    assertThat(sum("sluice.role.requests", "role", "(others)")).isZero();
  }

  @Test
  void a_connection_that_is_closed_counts_under_its_reason() throws IOException {
    try (Socket browser = new Socket()) {
      browser.connect(proxy.address());
      browser.getOutputStream().write("GET / HTTP/1.1".getBytes(StandardCharsets.US_ASCII));
      browser.getInputStream().readAllBytes();
    }
    assertThat(sum("sluice.client.disconnects", "reason", "protocol")).isOne();
    assertThat(sum("sluice.client.disconnects", "reason", "tls")).isZero();
  }

  private double sum(String name, String... tags) {
    return registry.get(name).tags(tags).meters().stream()
        .flatMap(meter -> StreamSupport.stream(meter.measure().spliterator(), false))
        .mapToDouble(Measurement::getValue)
        .sum();
  }

  @Test
  void connections_of_clients_are_counted() throws IOException {
    try (Socket client = new Socket()) {
      client.connect(proxy.address());
      Awaitility.await().until(() -> gauge("sluice.clients") == 1);
    }
    Awaitility.await().until(() -> gauge("sluice.clients") == 0);
  }

  @Test
  void a_new_proxy_has_no_link_and_no_prepared_statement() {
    assertThat(gauge("sluice.links")).isZero();
    assertThat(gauge("sluice.prepared.statements")).isZero();
  }

  @Test
  void gauges_survive_garbage_collection() {
    System.gc();
    assertThat(gauge("sluice.split.buffered.bytes")).isZero();
    assertThat(gauge("sluice.clients")).isZero();
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }
}
