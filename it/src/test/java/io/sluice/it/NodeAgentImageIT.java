package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.it.cluster.ClusterUnderTest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The Cassandra image with the node agent orders its reads, and serves the proxy like any node. */
@CassandraCluster(nodes = 1, rf = 1, agent = true)
class NodeAgentImageIT {
  private static final int ROWS = 200;

  @Test
  void its_node_orders_the_reads_that_come_through_the_proxy(ClusterUnderTest cluster) {
    Target direct = new Target("Cassandra", false, cluster.node(0).address(), "dir_");
    Target sluice = new Target("Sluice", true, cluster.startProxy(), "slu_");
    try (CqlSession session = JavaDriver.open(sluice, Wire.USUAL)) {
      Place place = new Place(session, sluice, sluice.keyspace("agent"));
      place.change(
          "CREATE KEYSPACE $ks WITH replication ="
              + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
      place.change("CREATE TABLE $ks.t (k int PRIMARY KEY)");
      IntStream.range(0, ROWS).forEach(k -> place.run("INSERT INTO $ks.t (k) VALUES (?)", k));

      assertThat(place.run("SELECT k FROM $ks.t WHERE k = 7").all()).hasSize(1);
      assertThat(place.run("SELECT k FROM $ks.t").all()).hasSize(ROWS);
    }
    assertThat(cluster.node(0).logs()).contains("Sluice node agent: ReadStage is ordered");
    assertThat(report(direct)).contains("enabled=true", "unknown=0");
  }

  /** Returns the agent's report, requested like a client may request it. */
  private static String report(Target node) {
    SimpleStatement question =
        SimpleStatement.newInstance("SELECT key FROM system.local")
            .setCustomPayload(Map.of("sluice-report", ByteBuffer.allocate(0)));
    try (CqlSession session = JavaDriver.open(node, Wire.USUAL)) {
      ByteBuffer answer =
          session.execute(question).getExecutionInfo().getIncomingPayload().get("sluice-report");
      assertThat(answer).as("the report").isNotNull();
      return StandardCharsets.UTF_8.decode(answer).toString();
    }
  }
}
