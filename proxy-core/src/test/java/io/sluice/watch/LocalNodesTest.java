package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import io.sluice.ring.NodeId;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests the choice of the nodes that the proxy queries itself, and a query of one of them. */
class LocalNodesTest {

  private final DriverMetadata cluster = new DriverMetadata();

  private static NodeId id(int number) {
    return new NodeId(new UUID(0, number));
  }

  private LocalNodes nodes(FakeSession cql) {
    return new LocalNodes(cql::driver, "here");
  }

  @Test
  void nodes_of_other_data_centres_and_nodes_that_are_not_up_are_left_out() {
    cluster.node(1, "here", "rack");
    cluster.node(2, "there", "rack");
    DriverMetadata.set(cluster.node(3, "here", "rack"), "state", NodeState.DOWN);
    DriverMetadata.set(cluster.node(4, "here", "rack"), "state", NodeState.UNKNOWN);
    cluster.node(5, "here", "rack");
    assertThat(nodes(new FakeSession(cluster)).up()).containsExactly(id(1), id(5));
  }

  @Test
  void a_node_whose_id_the_driver_does_not_know_yet_is_left_out() {
    cluster.nodes.add(DriverMetadata.driverNode(1, null, "here", "rack"));
    cluster.node(2, "here", "rack");
    assertThat(nodes(new FakeSession(cluster)).up()).containsExactly(id(2));
  }

  @Test
  void a_query_is_pinned_to_its_node() {
    cluster.node(1, "here", "rack");
    Node second = cluster.node(2, "here", "rack");
    FakeSession cql = new FakeSession(cluster);
    nodes(cql).ask(id(2), SimpleStatement.newInstance("SELECT x"));
    assertThat(cql.last().getNode()).isSameAs(second);
    assertThat(cql.last().getQuery()).isEqualTo("SELECT x");
  }
}
