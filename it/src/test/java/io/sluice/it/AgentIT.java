package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.ProxyConfig;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * A proxy in front of nodes that have the agent, have it switched off, or have lost it. Each node
 * gets up to 128 requests at once and runs {@value AgentNodes#CONCURRENT_READS} reads at once.
 */
@CassandraCluster(needs = {Capability.KILL, Capability.IN_PROCESS_PROXY})
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AgentIT {
  private static final int WITH_AGENT = 96;
  private static final int ROWS = 400;
  private static final Duration SOON = Duration.ofSeconds(15);
  private static final SplitConfig SMALL_PIECES =
      new SplitConfig(SplitConfig.Parallel.WAVES, 20, 0, 8, 4 << 20, true);

  private static final List<String> READS =
      List.of(
          "SELECT * FROM agent.t WHERE k = 7",
          "SELECT * FROM agent.t LIMIT 30",
          "SELECT * FROM agent.t",
          "SELECT count(*) FROM agent.t",
          "SELECT JSON * FROM agent.t",
          "SELECT * FROM agent.t WHERE v = 'row 9' ALLOW FILTERING",
          // Sent to one node as a whole read.
          "SELECT max(k), v FROM agent.t GROUP BY k LIMIT 5");

  /** Eight range reads that cover the ring. */
  private static final List<String> EIGHTHS =
      LongStream.range(-4, 4)
          .mapToObj(
              eighth ->
                  "SELECT * FROM agent.t WHERE token(k) > %d AND token(k) <= %d"
                      .formatted(eighth << 61, (eighth << 61) + ((1L << 61) - 1)))
          .toList();

  private static final SimpleMeterRegistry METERS = new SimpleMeterRegistry();
  private static AgentNodes nodes;
  private static Proxy proxy;
  private static Target direct;
  private static Target through;

  @BeforeAll
  static void start() throws Exception {
    nodes = new AgentNodes(AgentNodes.agent("=ntr=true"));
    direct = new Target("Cassandra", false, nodes.address(0), "dir_");
    ProxyConfig config = OwnNodes.proxyBefore(nodes.addresses());
    proxy = Proxy.start(config.withSplit(SMALL_PIECES), METERS);
    through = new Target("Sluice", true, proxy.address(), "slu_");
    // The proxy answers a schema change after all nodes have it.
    try (CqlSession session = JavaDriver.open(through, Wire.USUAL)) {
      session.execute("CREATE KEYSPACE agent WITH replication = " + nodes.replication());
      session.execute("CREATE TABLE agent.t (k int PRIMARY KEY, v text)");
      for (int k = 0; k < ROWS; k++) {
        session.execute("INSERT INTO agent.t (k, v) VALUES (?, ?)", k, "row " + k);
      }
    }
    nodes.node(0).flush("agent");
    nodes.node(1).flush("agent");
  }

  @AfterAll
  static void stop() throws Exception {
    if (proxy != null) {
      proxy.close();
    }
    if (nodes != null) {
      nodes.close();
    }
  }

  private static String tag(int node) {
    return nodes.address(node).getHostString() + ":" + nodes.address(node).getPort();
  }

  private static double agent(int node) {
    return METERS.get("sluice.node.agent").tag("node", tag(node)).gauge().value();
  }

  private static double slots(int node) {
    return METERS.get("sluice.limit").tag("node", tag(node)).tag("class", "point").gauge().value();
  }

  private static void awaitSlots(int node, int slots) {
    await().atMost(SOON).untilAsserted(() -> assertThat(slots(node)).isEqualTo(slots));
  }

  /** Reads every row of the table, in pieces. */
  private static void scan() {
    try (CqlSession session = JavaDriver.open(through, Wire.USUAL)) {
      assertThat(session.execute("SELECT * FROM agent.t").all()).hasSize(ROWS);
    }
  }

  @Test
  @Order(1)
  void agents_are_found_and_their_nodes_get_more_requests_at_once() {
    for (int node = 0; node < 2; node++) {
      awaitSlots(node, WITH_AGENT);
      assertThat(agent(node)).isEqualTo(1);
    }
    scan();
    await()
        .atMost(SOON)
        .until(
            () ->
                METERS.get("sluice.node.agent.widths.told").functionCounters().stream()
                    .allMatch(counter -> counter.count() > 0));
    assertThat(METERS.get("sluice.node.agent.unknown").functionCounters())
        .allMatch(counter -> counter.count() == 0);
  }

  @Test
  @Order(2)
  void every_piece_has_a_hint() throws Exception {
    long[] hintedBefore = {nodes.hintedRequests(0), nodes.hintedRequests(1)};
    double sentBefore = METERS.get("sluice.split.subrequests").counter().count();
    scan();
    long hinted0 = nodes.hintedRequests(0) - hintedBefore[0];
    long hinted1 = nodes.hintedRequests(1) - hintedBefore[1];
    assertThat(hinted0).isPositive();
    assertThat(hinted1).isPositive();
    assertThat((double) hinted0 + hinted1)
        .isEqualTo(METERS.get("sluice.split.subrequests").counter().count() - sentBefore);
  }

  @Test
  @Order(3)
  void answers_equal_those_of_a_node_including_payload() throws Exception {
    for (String version : List.of("V3", "V4", "V5")) {
      Wire wire = new Wire(version, "none");
      SameAnswer.equal(answers(direct, wire), answers(through, wire));
    }
  }

  private static List<String> answers(Target target, Wire wire) throws Exception {
    Transcript seen = new Transcript(target);
    List<Map<String, ByteBuffer>> payloads =
        wire.atLeast("V4")
            ? List.of(
                Map.of(),
                Map.of("mine", ByteBuffer.allocate(3)),
                Map.of("sluice", ByteBuffer.allocate(7), "mine", ByteBuffer.allocate(3)))
            : List.of(Map.of());
    try (CqlSession session = JavaDriver.open(target, wire)) {
      for (String cql : READS) {
        for (Map<String, ByteBuffer> payload : payloads) {
          seen.attempt(
              cql,
              () -> session.execute(SimpleStatement.newInstance(cql).setCustomPayload(payload)));
        }
      }
    }
    return seen.lines();
  }

  @Test
  @Order(4)
  void switched_off_the_node_gets_only_as_many_requests_as_it_runs() throws Exception {
    nodes.setEnabled(0, false);
    awaitSlots(0, AgentNodes.CONCURRENT_READS);
    assertThat(agent(0)).isEqualTo(1);
    assertThat(METERS.get("sluice.node.agent.enabled").tag("node", tag(0)).gauge().value())
        .isZero();
    assertThat(slots(1)).isEqualTo(WITH_AGENT);
    scan();
    nodes.setEnabled(0, true);
    awaitSlots(0, WITH_AGENT);
  }

  /**
   * Without its agent, the second node returns the custom payload that it gets. This shows whether
   * the proxy still sends hints to it.
   */
  @Test
  @Order(5)
  void a_node_that_restarts_without_its_agent_gets_no_hints() throws Exception {
    nodes.node(1).stop();
    nodes.jvmOptions(
        "-Dcassandra.custom_query_handler_class="
            + "org.apache.cassandra.cql3.CustomPayloadMirroringQueryHandler");
    nodes.node(1).start();
    await().atMost(SOON).until(() -> agent(1) == 0);
    awaitSlots(1, AgentNodes.CONCURRENT_READS);

    assertThat(keysThatComeBack(Map.of("mine", ByteBuffer.allocate(3)))).containsOnly("mine");
    assertThat(keysThatComeBack(Map.of())).isEmpty();
    long hinted = nodes.hintedRequests(0);
    scan();
    assertThat(nodes.hintedRequests(0)).as("the first node's agent").isGreaterThan(hinted);
  }

  /**
   * Returns the payload keys of the answers. A page has the payload of its first answer; half of
   * these begin at the second node.
   */
  private static Set<String> keysThatComeBack(Map<String, ByteBuffer> sent) {
    Set<String> keys = new HashSet<>();
    try (CqlSession session = JavaDriver.open(through, Wire.USUAL)) {
      for (String cql : EIGHTHS) {
        ResultSet rows = session.execute(SimpleStatement.newInstance(cql).setCustomPayload(sent));
        rows.all();
        for (ExecutionInfo page : rows.getExecutionInfos()) {
          keys.addAll(page.getIncomingPayload().keySet());
        }
      }
    }
    return keys;
  }
}
