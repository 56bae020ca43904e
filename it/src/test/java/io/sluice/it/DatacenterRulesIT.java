package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.ProxyConfig;
import io.sluice.cluster.LocalCluster;
import io.sluice.cluster.LocalNode;
import io.sluice.decide.rule.Rule;
import io.sluice.setting.RefusedSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A rule that sends requests to another data centre, on nodes of two data centres. Traces of the
 * nodes show which of them coordinate.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DatacenterRulesIT {

  private static final int ROWS = 500;
  private static final String POINT = "SELECT v FROM far.t WHERE k = 7";
  private static final String SCAN = "SELECT k FROM far.t";

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private LocalCluster cluster;
  private ProxyConfig config;
  private Proxy proxy;
  private CqlSession session;

  @BeforeAll
  void start() throws Exception {
    cluster =
        LocalCluster.start(
            OwnNodes.two("datacenters", 50).withNodes(4, 1).withDatacenters(2), line -> {});
    config = OwnNodes.proxyBefore(List.of(cluster.node(0).address()));
    proxy = Proxy.start(config, meters);
    session = JavaDriver.open(new Target("Sluice", true, proxy.address(), "dcs_"), Wire.USUAL);
    session.execute(
        "CREATE KEYSPACE far WITH replication = {'class': 'NetworkTopologyStrategy',"
            + " 'datacenter1': 1, 'datacenter2': 1}");
    session.execute("CREATE TABLE far.t (k int PRIMARY KEY, v int)");
    session.execute(
        "CREATE KEYSPACE away WITH replication = {'class': 'NetworkTopologyStrategy',"
            + " 'datacenter2': 1}");
    session.execute("CREATE TABLE away.t (k int PRIMARY KEY, v int)");
    for (String table : List.of("far.t", "away.t")) {
      PreparedStatement insert = session.prepare("INSERT INTO " + table + " (k, v) VALUES (?, ?)");
      for (int k = 0; k < ROWS; k++) {
        session.execute(insert.bind(k, k).setConsistencyLevel(ConsistencyLevel.ALL));
      }
    }
  }

  @AfterAll
  void end() {
    Stream.of(session, proxy, cluster)
        .filter(Objects::nonNull)
        .forEach(
            each -> {
              try {
                each.close();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
  }

  private void sendTo(@Nullable String datacenter) {
    Rule.Match match =
        new Rule.Match(
            null, List.of("far", "away"), null, null, null, null, null, null, null, null);
    proxy.apply(
        config
            .withRules(
                datacenter == null
                    ? List.of()
                    : List.of(new Rule("far", match, null, null, null, null, null).to(datacenter)))
            .live());
  }

  private InetAddress address(int node) {
    return cluster.node(node).address().getAddress();
  }

  private Set<InetAddress> here() {
    return Set.of(address(0), address(2));
  }

  private Set<InetAddress> there() {
    return Set.of(address(1), address(3));
  }

  /** Returns the nodes that coordinate these statements, by their own traces. */
  private Set<InetAddress> coordinators(List<? extends Statement<?>> statements) {
    Set<InetAddress> all = new HashSet<>();
    for (Statement<?> each : statements) {
      InetSocketAddress coordinator =
          session
              .execute(each.setTracing(true))
              .getExecutionInfo()
              .getQueryTrace()
              .getCoordinatorAddress();
      all.add(coordinator.getAddress());
    }
    return all;
  }

  private static SimpleStatement at(ConsistencyLevel level, String cql) {
    return SimpleStatement.newInstance(cql).setConsistencyLevel(level);
  }

  private List<Statement<?>> readsAndWrites() {
    PreparedStatement read = session.prepare("SELECT v FROM far.t WHERE k = ?");
    PreparedStatement write = session.prepare("UPDATE far.t SET v = ? WHERE k = ?");
    return List.of(
        at(ConsistencyLevel.LOCAL_QUORUM, POINT),
        at(ConsistencyLevel.LOCAL_ONE, SCAN + " LIMIT 5"),
        at(ConsistencyLevel.ONE, "SELECT count(*) FROM far.t"),
        read.bind(1),
        read.bind(2),
        read.bind(3),
        write.bind(4, 4),
        write.bind(5, 5),
        at(ConsistencyLevel.LOCAL_QUORUM, "INSERT INTO far.t (k, v) VALUES (6, 6)"));
  }

  @Test
  void reads_and_writes_are_coordinated_there_and_transactions_here() {
    sendTo(null);
    assertThat(coordinators(readsAndWrites())).isSubsetOf(here());
    sendTo("datacenter2");
    assertThat(coordinators(readsAndWrites())).isSubsetOf(there());
    assertThat(
            coordinators(
                List.of(
                    at(ConsistencyLevel.ONE, "UPDATE far.t SET v = 7 WHERE k = 7 IF v = 7"),
                    at(ConsistencyLevel.LOCAL_SERIAL, POINT))))
        .isSubsetOf(here());
  }

  /** The data centre of the proxy is about to be decommissioned. */
  @Test
  void a_scan_goes_on_when_its_keyspace_loses_its_replicas_here() {
    sendTo(null);
    session.execute(
        "CREATE KEYSPACE leaving WITH replication = {'class': 'NetworkTopologyStrategy',"
            + " 'datacenter1': 1, 'datacenter2': 1}");
    session.execute("CREATE TABLE leaving.t (k int PRIMARY KEY)");
    PreparedStatement insert = session.prepare("INSERT INTO leaving.t (k) VALUES (?)");
    Set<Integer> missing = new HashSet<>();
    for (int k = 0; k < 100; k++) {
      session.execute(insert.bind(k).setConsistencyLevel(ConsistencyLevel.ALL));
      missing.add(k);
    }
    SimpleStatement scan = at(ConsistencyLevel.ONE, "SELECT k FROM leaving.t").setPageSize(40);
    ResultSet rows = session.execute(scan);
    for (int first = 0; first < 40; first++) {
      assertThat(missing.remove(rows.one().getInt(0))).isTrue();
    }
    session.execute(
        "ALTER KEYSPACE leaving WITH replication = {'class': 'NetworkTopologyStrategy',"
            + " 'datacenter2': 1}");
    rows.forEach(row -> assertThat(missing.remove(row.getInt(0))).isTrue());
    assertThat(missing).isEmpty();
  }

  @Test
  void local_levels_hold_in_the_data_centre_of_the_rule() {
    SimpleStatement read = at(ConsistencyLevel.LOCAL_QUORUM, "SELECT v FROM away.t WHERE k = 9");
    SimpleStatement scan = at(ConsistencyLevel.LOCAL_QUORUM, "SELECT k FROM away.t");
    sendTo(null);
    assertThat(isUnavailable(read)).isTrue();
    assertThat(isUnavailable(scan)).isTrue();
    assertThat(session.execute(read.setConsistencyLevel(ConsistencyLevel.ONE)).all())
        .as("a keyspace without replicas in the proxy's data centre")
        .hasSize(1);
    assertThat(session.execute(scan.setConsistencyLevel(ConsistencyLevel.ONE)).all()).hasSize(ROWS);
    sendTo("datacenter2");
    assertThat(session.execute(read).all()).hasSize(1);
    assertThat(session.execute(scan).all()).hasSize(ROWS);
  }

  /** Whether the error is UNAVAILABLE, which the driver repeats at another host first. */
  private boolean isUnavailable(Statement<?> statement) {
    try {
      session.execute(statement);
      return false;
    } catch (AllNodesFailedException e) {
      return e.getAllErrors().values().stream()
          .flatMap(List::stream)
          .allMatch(UnavailableException.class::isInstance);
    }
  }

  @Test
  void pieces_of_a_scan_are_read_at_the_owners_there() {
    sendTo("datacenter2");
    assertThat(session.execute(SCAN).all()).hasSize(ROWS);
    List<Row> pieces =
        session.execute("EXPLAIN ANALYZE " + SCAN).all().stream()
            .filter(row -> String.valueOf(row.getString("step")).startsWith("piece"))
            .toList();
    assertThat(pieces).hasSizeGreaterThan(1);
    assertThat(pieces.stream().map(DatacenterRulesIT::node).distinct())
        .containsExactlyInAnyOrder(text(1), text(3));
    assertThat(session.execute("EXPLAIN " + POINT).all())
        .anySatisfy(
            row -> assertThat(String.valueOf(row.getString("note"))).contains("datacenter2"))
        .noneSatisfy(row -> assertThat(node(row)).contains(text(0)));
  }

  private static String node(Row row) {
    return String.valueOf(row.getString("node"));
  }

  private String text(int node) {
    InetSocketAddress address = cluster.node(node).address();
    return address.getHostString() + ":" + address.getPort();
  }

  @Test
  void an_unknown_data_centre_is_refused_and_the_rules_stay() {
    sendTo("datacenter2");
    assertThatThrownBy(() -> sendTo("datacentre2"))
        .isInstanceOf(RefusedSettings.class)
        .hasMessageContaining("which has datacenter1, datacenter2");
    assertThat(coordinators(List.of(at(ConsistencyLevel.ONE, POINT)))).isSubsetOf(there());
  }

  @Test
  void without_a_live_node_there_requests_fail_until_one_is_back() throws IOException {
    sendTo("datacenter2");
    List<LocalNode> nodes = List.of(cluster.node(1), cluster.node(3));
    nodes.forEach(LocalNode::kill);
    try {
      assertThat(isUnavailable(at(ConsistencyLevel.ONE, POINT))).isTrue();
      assertThat(answer(POINT)).contains("data centre datacenter2 of rule far");
    } finally {
      nodes.forEach(LocalNode::start);
    }
    await()
        .atMost(Waiting.PATIENCE)
        .ignoreExceptions()
        .until(() -> session.execute(at(ConsistencyLevel.LOCAL_ONE, POINT)).all().size() == 1);
  }

  /** Returns the answer with the text of an error, which the driver does not show. */
  private String answer(String cql) throws IOException {
    try (RawConnection raw = RawConnection.ready(proxy.address(), 4)) {
      raw.send(Bytes.frame(4, 0, 1, Bytes.QUERY, Bytes.query(4, cql)));
      return raw.outcome(10_000);
    }
  }
}
