package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.cluster.ClusterSpec;
import io.sluice.cluster.LocalCluster;
import io.sluice.cluster.LocalNode;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The address of a dead node passes to a node of another cluster with the same tables, which a
 * proxy must not take for the dead one.
 */
@CassandraCluster(needs = {Capability.KILL, Capability.IN_PROCESS_PROXY})
class PassedAddressIT {

  private static final int PORTS_FURTHER = 150;
  private static final int ROWS = 50;

  /** Longer than the proxy takes to try a dead node again. */
  private static final Duration AFTERWARDS = Duration.ofSeconds(45);

  @ParameterizedTest(name = "which asks for logins: {0}")
  @ValueSource(booleans = {false, true})
  @Tag("long")
  void no_request_reaches_a_node_of_another_cluster(boolean withLogins) throws Exception {
    ClusterSpec spec = OwnNodes.two("passed", PORTS_FURTHER).withNodes(2, 2);
    ClusterSpec others =
        OwnNodes.two("passed-to", PORTS_FURTHER)
            .withNodes(1, 1)
            .withPorts(spec.ports().cql(), spec.ports().storage() + 1_000)
            .withAuth(withLogins)
            .withYaml("cluster_name", "another one");
    try (LocalCluster cluster = LocalCluster.start(spec, line -> {});
        CqlSession direct = JavaDriver.open(at(cluster.node(1)), Wire.USUAL);
        Proxy proxy =
            Proxy.start(OwnNodes.proxyBefore(cluster.contactPoints()), new SimpleMeterRegistry());
        CqlSession through =
            JavaDriver.open(new Target("Sluice", true, proxy.address(), "slu_"), Wire.USUAL)) {
      fill(direct, cluster, "own");
      Statements statements = Statements.of(through);
      assertThat(statements.read()).as("values before").containsExactly("own");
      cluster.node(0).kill();
      try (LocalCluster other = LocalCluster.start(others, line -> {});
          CqlSession beyond = JavaDriver.openAs(at(other.node(0)), "cassandra", "cassandra")) {
        fill(beyond, other, "foreign");

        Set<String> values = new TreeSet<>();
        long end = System.nanoTime() + AFTERWARDS.toNanos();
        int written = 0;
        while (System.nanoTime() < end) {
          values.addAll(statements.read());
          written += statements.write();
        }

        assertThat(values).as("values read").containsExactly("own");
        assertThat(written).as("rows written").isPositive();
        assertThat(beyond.execute("SELECT k FROM passed.w").all()).as("foreign rows").isEmpty();
      }
    }
  }

  private static Target at(LocalNode node) {
    return new Target("Cassandra", false, node.address(), "dir_");
  }

  private static void fill(CqlSession session, LocalCluster cluster, String value) {
    Place place = new Place(session, at(cluster.node(0)), "passed");
    place.changeAll(
        List.of(
            "CREATE KEYSPACE passed WITH replication = " + cluster.replication(),
            "CREATE TABLE passed.t (k int PRIMARY KEY, v text)",
            "CREATE TABLE passed.w (k int PRIMARY KEY)"));
    PreparedStatement insert = session.prepare("INSERT INTO passed.t (k, v) VALUES (?, ?)");
    for (int k = 0; k < ROWS; k++) {
      session.execute(insert.bind(k, value));
    }
  }

  /** Reads and writes of all keys through the proxy. */
  private record Statements(
      CqlSession session,
      PreparedStatement point,
      PreparedStatement scan,
      PreparedStatement insert) {

    static Statements of(CqlSession session) {
      return new Statements(
          session,
          prepared(session, "SELECT v FROM passed.t WHERE k = ?"),
          prepared(session, "SELECT v FROM passed.t"),
          prepared(session, "INSERT INTO passed.w (k) VALUES (?)"));
    }

    /** Prepares a statement for which one of the two replicas is enough. */
    private static PreparedStatement prepared(CqlSession session, String cql) {
      return session.prepare(
          SimpleStatement.newInstance(cql).setConsistencyLevel(DefaultConsistencyLevel.LOCAL_ONE));
    }

    /** Returns the values of all rows, read one by one and together. */
    Set<String> read() {
      Set<String> values = new TreeSet<>();
      for (int k = 0; k < ROWS; k++) {
        Row row = session.execute(point.bind(k)).one();
        values.add(row == null ? "none" : String.valueOf(row.getString("v")));
      }
      List<Row> rows = session.execute(scan.bind()).all();
      assertThat(rows).hasSize(ROWS);
      rows.forEach(row -> values.add(String.valueOf(row.getString("v"))));
      return values;
    }

    /** Writes all rows, and returns how many writes succeeded. */
    int write() {
      int written = 0;
      for (int k = 0; k < ROWS; k++) {
        try {
          session.execute(insert.bind(k));
          written++;
        } catch (DriverException e) {
          // A write in flight to a node that dies may fail.
        }
      }
      return written;
    }
  }
}
