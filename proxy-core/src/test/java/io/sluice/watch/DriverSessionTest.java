package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.internal.core.metadata.DefaultNode;
import io.sluice.ring.NodeId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests questions to single nodes, and the question for the identity of the cluster. */
class DriverSessionTest {

  private static final String IDENTITY = "cluster_name text, cql_version text, partitioner text";
  private static final String MURMUR3 = "org.apache.cassandra.dht.Murmur3Partitioner";

  private final DriverMetadata cluster = new DriverMetadata();
  private final DefaultNode node = cluster.node(1, "here", "rack", 0);
  private final NodeId id = new NodeId(new UUID(0, 1));
  private final FakeSession cql = new FakeSession(cluster);

  @Test
  void a_statement_goes_to_the_node_that_it_is_for() {
    cql.driver().ask(id, SimpleStatement.newInstance("SELECT x"));
    assertThat(cql.last().getNode()).isSameAs(node);
    assertThat(cql.driver().node(id)).isSameAs(node);
  }

  @Test
  void a_node_that_has_left_cannot_be_asked() {
    NodeId gone = new NodeId(new UUID(9, 9));
    assertThat(cql.driver().node(gone)).isNull();
    assertThat(
            FleetSessionTest.failure(cql.driver().ask(gone, SimpleStatement.newInstance("SELECT"))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(gone + " has left");
    assertThat(cql.asked).isEmpty();
  }

  /** The driver changes the id of a node in place, and keeps the node under the old one. */
  @Test
  void a_node_that_is_replaced_at_its_own_address_has_its_new_id() {
    DriverMetadata.set(node, "hostId", new UUID(0, 2));
    NodeId now = new NodeId(new UUID(0, 2));
    cql.driver().ask(now, SimpleStatement.newInstance("SELECT x"));
    assertThat(cql.last().getNode()).isSameAs(node);
    assertThat(cql.driver().node(id)).as("the replaced node").isNull();
  }

  @Test
  void a_closed_session_closes_the_drivers() {
    cql.driver().close();
    assertThat(cql.closeFuture().toCompletableFuture()).isCompleted();
  }

  @Test
  void an_agent_is_asked_by_a_payload_beside_the_smallest_read() {
    new NodeReports(cql::driver).ask(id);
    assertThat(cql.last().getQuery()).isEqualTo("SELECT key FROM system.local");
    assertThat(cql.last().getNode()).isSameAs(node);
    ByteBuffer nothing = ByteBuffer.allocate(0);
    assertThat(cql.last().getCustomPayload())
        .isEqualTo(Map.of("sluice-report", nothing, "sluice-echo", nothing));
  }

  @Test
  void an_agent_answers_in_the_payload() {
    ByteBuffer line = ByteBuffer.wrap("enabled=true aged=5".getBytes(StandardCharsets.UTF_8));
    cql.answers(new NodeRows("key text").row("local").payload(Map.of("sluice-report", line)));
    assertThat(new NodeReports(cql::driver).ask(id).toCompletableFuture().getNow(null))
        .isEqualTo(new AgentReport(true, 0, 0, 0, 0, 5, 0, 0, 0));
  }

  @Test
  void a_node_without_an_agent_answers_without_a_payload() {
    cql.answers(new NodeRows("key text").row("local"));
    assertThat(new NodeReports(cql::driver).ask(id).toCompletableFuture().getNow(null)).isNull();
  }

  private ClusterIdentity identity() throws IOException {
    return ClusterIdentity.read(cql.driver(), FleetSessionTest.config(null));
  }

  @Test
  void a_cluster_has_a_name_a_version_of_cql_and_a_partitioner() throws IOException {
    cql.answers(new NodeRows(IDENTITY).row("shop", "3.4.7", MURMUR3));
    assertThat(identity())
        .isEqualTo(new ClusterIdentity("shop", "3.4.7", DriverPartitioner.MURMUR3));
    assertThat(cql.last().getQuery())
        .isEqualTo("SELECT cluster_name, cql_version, partitioner FROM system.local");
  }

  @Test
  void a_cluster_with_an_unknown_partitioner_cannot_be_served() {
    cql.answers(new NodeRows(IDENTITY).row("shop", "3.4.7", "org.example.Own"));
    assertThatThrownBy(this::identity)
        .isInstanceOf(ClusterMismatch.class)
        .hasMessage("the cluster's partitioner org.example.Own is unknown to Sluice");
  }

  /** It may answer later, so a start goes on to try. */
  @Test
  void a_cluster_that_does_not_answer_is_not_a_mismatch() {
    cql.fails(new DriverTimeoutException("Query timed out"));
    assertThatThrownBy(this::identity)
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("the cluster cannot be queried: Query timed out")
        .hasCauseInstanceOf(DriverTimeoutException.class);
  }

  @Test
  void a_wrong_data_centre_is_reported_before_the_first_query() {
    DriverMetadata other = new DriverMetadata();
    other.node(1, "there", "rack", 0);
    FakeSession elsewhere = new FakeSession(other);
    assertThatThrownBy(
            () -> ClusterIdentity.read(elsewhere.driver(), FleetSessionTest.config(null)))
        .isInstanceOf(ClusterMismatch.class)
        .hasMessageStartingWith("cluster.localDatacenter is here, but the cluster has there");
    assertThat(elsewhere.asked).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "shop, 3.4.7, MURMUR3, true",
    "shop, 3.4.5, MURMUR3, true",
    "Shop, 3.4.7, MURMUR3, false",
    "shop, 3.4.7, RANDOM, false",
  })
  void a_cluster_keeps_its_name_and_partitioner(
      String name, String cqlVersion, DriverPartitioner partitioner, boolean same) {
    ClusterIdentity shop = new ClusterIdentity("shop", "3.4.7", DriverPartitioner.MURMUR3);
    assertThat(shop.sameCluster(new ClusterIdentity(name, cqlVersion, partitioner)))
        .isEqualTo(same);
  }
}
