package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.datastax.oss.driver.api.core.CqlSession;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.ProxyConfig;
import io.sluice.accept.ListenConfig;
import io.sluice.fleet.FleetConfig;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.server.SluiceServer;
import io.sluice.testkit.FreePorts;
import io.sluice.testkit.SpawnedCommand;
import io.sluice.watch.ClusterConfig;
import io.sluice.watch.FleetKeyspace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Proxies that find each other by heartbeats in a keyspace of the cluster. */
@CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
class FleetIT {

  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final Duration SOON = Duration.ofSeconds(10);

  /** The time within which the others notice that a proxy was killed. */
  private static final Duration DEAD_WITHIN = Duration.ofSeconds(5);

  private static final String QUORUM_OF_SEVEN =
      "ALTER KEYSPACE sluice WITH replication ="
          + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 7}";
  private static final String QUORUM_OF_THREE = QUORUM_OF_SEVEN.replace(": 7}", ": 3}");

  @TempDir private Path temp = Path.of("");

  private final List<Member> members = new ArrayList<>();

  /** A proxy in this JVM. */
  private record Member(Proxy proxy, SimpleMeterRegistry meters) {

    String address() {
      return "127.0.0.1:" + proxy.address().getPort();
    }

    /** Returns the proxies that it shows to clients. */
    Set<String> proxies() {
      CompletableFuture<String> rows = new CompletableFuture<>();
      proxy.select("SELECT proxy FROM system_proxy.proxies", rows::complete);
      String json = rows.orTimeout(20, TimeUnit.SECONDS).join();
      return Pattern.compile("127[.]0[.]0[.]1:[0-9]+")
          .matcher(json)
          .results()
          .map(MatchResult::group)
          .collect(Collectors.toSet());
    }

    double meter(String name) {
      return meters.get("sluice.fleet." + name).gauge().value();
    }
  }

  private static ClusterConfig nodes(Stage stage, ClusterConfig.@Nullable Credentials credentials) {
    return new ClusterConfig(
        List.of(stage.direct().address()), "datacenter1", credentials, Duration.ofSeconds(10));
  }

  private static ClusterConfig ofPlain() {
    return nodes(Stage.plain(), null);
  }

  private Member start(int port) throws IOException {
    return start(port, ofPlain());
  }

  private Member start(int port, ClusterConfig nodes) throws IOException {
    return start(port, port, nodes);
  }

  private Member start(int port, int advertised, ClusterConfig nodes) throws IOException {
    ProxyConfig config =
        ProxyConfig.of(ListenConfig.on("127.0.0.1", port), nodes)
            .withFleet(
                new FleetConfig(
                    new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), advertised),
                    List.of(),
                    true));
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    Member member = new Member(Proxy.start(config, meters), meters);
    members.add(member);
    return member;
  }

  private static List<String> init(
      ClusterConfig nodes, @Nullable Map<String, Integer> copies, boolean changes)
      throws Exception {
    List<String> said = new ArrayList<>();
    new FleetKeyspace(nodes, said::add).init(copies, changes, "proxies");
    return said;
  }

  private static void init() throws Exception {
    init(ofPlain(), Map.of("datacenter1", 3), true);
  }

  private static void awaitProxies(Member seen, String... proxies) {
    await()
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(() -> assertThat(seen.proxies()).containsExactlyInAnyOrder(proxies));
  }

  private static void awaitAlone(Member member, boolean alone) {
    await().atMost(SOON).until(() -> member.meter("alone") == (alone ? 1 : 0));
  }

  private static void change(String cql) {
    try (CqlSession direct = JavaDriver.open(Stage.plain().direct(), Wire.USUAL)) {
      new Place(direct, Stage.plain().direct(), "sluice").change(cql);
    }
  }

  @AfterEach
  void end() {
    members.forEach(member -> member.proxy().close());
  }

  @AfterAll
  static void leaveNothing() {
    change("DROP KEYSPACE IF EXISTS sluice");
  }

  @Test
  void proxies_join_and_leave_a_driver_is_told_and_doubles_count_once() throws Exception {
    init();
    Member one = start(FreePorts.next());
    try (CqlSession session =
        JavaDriver.open(new Target("one", true, one.proxy().address(), "one_"), Wire.USUAL)) {
      Member two = start(FreePorts.next());
      awaitProxies(one, one.address(), two.address());
      awaitProxies(two, one.address(), two.address());
      await().atMost(SOON).until(() -> session.getMetadata().getNodes().size() == 2);
      Member three = start(FreePorts.next());
      for (Member each : members) {
        awaitProxies(each, one.address(), two.address(), three.address());
        assertThat(each.meter("members")).isEqualTo(3);
      }

      assertThat(two.proxy().drain(Duration.ofSeconds(20))).isTrue();
      awaitProxies(one, one.address(), three.address());
      two.proxy().close();
      await().atMost(SOON).until(() -> session.getMetadata().getNodes().size() == 2);
      Member same = start(FreePorts.next(), one.proxy().address().getPort(), ofPlain());
      await().atMost(SOON).until(() -> one.meter("doubles") == 1 && same.meter("doubles") == 1);
      awaitProxies(three, one.address(), three.address());
      assertThat(session.execute("SELECT proxy FROM system_proxy.proxies").all()).hasSize(2);
    }
  }

  @Test
  void a_proxy_that_is_killed_is_gone_within_five_seconds() throws Exception {
    init();
    Member one = start(FreePorts.next());
    int port = FreePorts.next();
    Path config = temp.resolve("killed.yml");
    InetSocketAddress node = Stage.plain().direct().address();
    Files.writeString(
        config,
        """
        cql:     {host: 127.0.0.1, port: %d, advertise: "127.0.0.1:%d", peers: keyspace}
        cluster: {contactPoints: ["%s:%d"], localDatacenter: datacenter1}
        admin:   {host: 127.0.0.1, port: 0}
        """
            .formatted(port, port, node.getHostString(), node.getPort()));
    Process process =
        SpawnedCommand.builder(SluiceServer.class, "server", config.toString())
            .redirectErrorStream(true)
            .redirectOutput(temp.resolve("killed.log").toFile())
            .start();
    try {
      await().atMost(Waiting.PATIENCE).until(() -> one.proxies().contains("127.0.0.1:" + port));
    } finally {
      process.destroyForcibly();
    }
    long killed = System.nanoTime();
    awaitProxies(one, one.address());
    assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(DEAD_WITHIN);
  }

  @Test
  void without_the_keyspace_or_its_quorum_each_works_alone_and_keeps_whom_it_knew()
      throws Exception {
    change("DROP KEYSPACE IF EXISTS sluice");
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    Logger logger = (Logger) LoggerFactory.getLogger("io.sluice.fleet");
    logger.addAppender(log);
    Member one = start(FreePorts.next());
    awaitAlone(one, true);
    assertThat(one.proxies()).containsExactly(one.address());
    Waiting.aMoment(1_000);
    logger.detachAppender(log);
    assertThat(List.copyOf(log.list))
        .filteredOn(event -> event.getLevel() == Level.WARN)
        .extracting(ILoggingEvent::getFormattedMessage)
        .satisfiesExactlyInAnyOrder(
            message ->
                assertThat(message)
                    .startsWith("The keyspace of the fleet cannot be used")
                    .endsWith("`sluice fleet init` creates it"),
            message -> assertThat(message).startsWith("What proxies learn of tables"));

    initSaysWhatItDoes();
    awaitAlone(one, false);
    Member two = start(FreePorts.next());
    awaitProxies(one, one.address(), two.address());
    awaitProxies(two, one.address(), two.address());

    change(QUORUM_OF_SEVEN);
    awaitAlone(one, true);
    awaitAlone(two, true);
    assertThat(one.proxies()).containsExactlyInAnyOrder(one.address(), two.address());
    try (CqlSession session =
        JavaDriver.open(new Target("one", true, one.proxy().address(), "one_"), Wire.USUAL)) {
      assertThat(session.execute("SELECT key FROM system.local").one()).isNotNull();
    }
    change(QUORUM_OF_THREE);
    awaitAlone(one, false);
    awaitAlone(two, false);
    assertThat(one.proxies()).containsExactlyInAnyOrder(one.address(), two.address());
  }

  private static void initSaysWhatItDoes() throws Exception {
    ClusterConfig nodes = ofPlain();
    assertThatThrownBy(() -> init(nodes, null, true))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("datacenter1 with 3 nodes: --replication datacenter1:3");
    assertThat(init(nodes, Map.of("datacenter1", 3), false)).contains("Nothing was changed");
    assertThatThrownBy(() -> init(nodes, Map.of("datacenter1", 3, "moon", 1), true))
        .hasMessageContaining("moon is not a data centre of the cluster");

    List<String> said = init(nodes, Map.of("datacenter1", 3), true);
    assertThat(said.get(0)).startsWith("CREATE KEYSPACE IF NOT EXISTS sluice");
    assertThat(said).anyMatch(line -> line.startsWith("CREATE TABLE IF NOT EXISTS sluice.proxies"));
    assertThat(init(nodes, Map.of("datacenter1", 3), true))
        .contains("The keyspace existed; what was missing has been added");
    assertThat(init(nodes, null, true))
        .hasSize(8)
        .filteredOn(line -> line.startsWith("GRANT "))
        .hasSize(4);
    assertThatThrownBy(() -> init(nodes, Map.of("datacenter1", 2), true))
        .hasMessageContaining("which stays unchanged. To change it: ALTER KEYSPACE sluice");
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5})
  void a_client_that_registered_gets_an_event_before_its_connection_ends(int version)
      throws Exception {
    try (Proxy proxy =
        Proxy.start(OwnNodes.proxyBefore(ofPlain().contactPoints()), new SimpleMeterRegistry())) {
      CompletableFuture<Boolean> drained;
      try (RawConnection client = RawConnection.ready(proxy.address(), version)) {
        byte[] register = new Bytes().int16(1).string("GRACEFUL_DISCONNECT").done();
        client.send(Bytes.frame(version, 0, 1, Bytes.REGISTER, register));
        assertThat(client.read()).extracting(RawFrame::opcode).isEqualTo(RawFrame.READY);
        drained = CompletableFuture.supplyAsync(() -> drained(proxy));
        assertThat(client.read()).extracting(RawFrame::opcode).isEqualTo(RawFrame.EVENT);
        byte[] query = Bytes.query(version, "SELECT key FROM system.local");
        client.send(Bytes.frame(version, 0, 2, Bytes.QUERY, query));
        assertThat(client.read()).extracting(RawFrame::opcode).isEqualTo(RawFrame.RESULT);
        assertThat(drained).isNotDone();
      }
      assertThat(drained.get(1, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static boolean drained(Proxy proxy) {
    try {
      return proxy.drain(Duration.ofSeconds(20));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @Tag("long")
  @CassandraCluster(
      nodes = 1,
      rf = 1,
      auth = true,
      needs = {Capability.IN_PROCESS_PROXY, Capability.AUTH})
  void a_role_needs_no_more_than_the_grants_that_init_prints() throws Exception {
    Stage stage = Stage.auth();
    ClusterConfig.Credentials admin = new ClusterConfig.Credentials("cassandra", "cassandra");
    try (CqlSession session = JavaDriver.openAs(stage.direct(), "cassandra", "cassandra")) {
      session.execute("CREATE ROLE IF NOT EXISTS proxies WITH PASSWORD = 'p' AND LOGIN = true");
      List<String> said = init(nodes(stage, admin), Map.of("datacenter1", 1), true);
      Member one =
          start(FreePorts.next(), nodes(stage, new ClusterConfig.Credentials("proxies", "p")));
      awaitAlone(one, true);

      List<String> grants = said.stream().filter(each -> each.startsWith("GRANT")).toList();
      assertThat(grants).hasSize(4);
      grants.forEach(session::execute);
      await().atMost(Waiting.PATIENCE).until(() -> one.meter("alone") == 0);
      session.execute("DROP KEYSPACE sluice");
    }
  }
}
