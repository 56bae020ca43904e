package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.internal.core.metadata.DefaultEndPoint;
import com.datastax.oss.driver.internal.core.metadata.DefaultNode;
import io.sluice.ring.Estimates;
import io.sluice.ring.NodeId;
import io.sluice.ring.TableName;
import io.sluice.watch.ClusterView.NodeAgent;
import io.sluice.wire.SchemaChange;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests when a new snapshot is published, and what it keeps of the last one. */
class PublishedViewTest implements WatchListener {

  private static final NodeId A = new NodeId(new UUID(0, 1));
  private static final Set<TableName> UNMASKED = Set.of();
  private static final Set<TableName> MASKED = Set.of(new TableName("ks", "t"));
  private static final AgentReport ON = new AgentReport(true, 0, 0, 0, 0, 0, 0, 0, 1000);
  private static final AgentReport OFF = new AgentReport(false, 0, 0, 0, 0, 0, 0, 0, 1000);

  private final DriverMetadata driver = new DriverMetadata();
  private final DefaultNode node = driver.node(1, "here", "rack");
  private final List<ClusterView> views = new ArrayList<>();
  private @Nullable ClusterView coming;
  private boolean refuses;
  private final List<@Nullable AgentReport> reports = new ArrayList<>();
  private final Metadata first = driver.metadata(null);
  private final PublishedView published =
      new PublishedView(new RingReader("here", DriverPartitioner.MURMUR3), first, UNMASKED, this);

  @Override
  public void coming(ClusterView next) {
    assertThat(published.view()).as("what requests can read").isNotSameAs(next);
    coming = next;
  }

  @Override
  public void changed(ClusterView view) {
    assertThat(published.view()).as("what the listener can read").isSameAs(view);
    if (refuses) {
      throw new IllegalStateException("refused");
    }
    views.add(view);
  }

  @Override
  public void schemaChanged(SchemaChange change) {}

  @Override
  public void estimated(Estimates news) {}

  @Override
  public void agentReported(NodeId agent, @Nullable AgentReport report) {
    reports.add(report);
  }

  private ClusterView last() {
    return views.get(views.size() - 1);
  }

  @Test
  void the_first_snapshot_has_the_nodes_and_is_published_on_request() {
    assertThat(published.view().ring().node(A)).isNotNull();
    assertThat(views).isEmpty();
    published.announce();
    assertThat(views).containsExactly(published.view());
  }

  @Test
  void a_look_that_shows_nothing_new_publishes_nothing() {
    published.look(first, UNMASKED);
    views.clear();
    assertThat(published.look(first, UNMASKED)).isFalse();
    assertThat(views).isEmpty();
  }

  /** The driver changes the state of a node without new metadata. */
  @Test
  void a_node_that_goes_down_is_down_in_the_next_snapshot() {
    published.look(first, UNMASKED);
    DriverMetadata.set(node, "state", NodeState.DOWN);
    assertThat(published.look(first, UNMASKED)).as("the nodes are the same").isFalse();
    assertThat(last().ring().local()).noneMatch(each -> each.up());
  }

  @Test
  void a_node_that_joins_is_reported_to_the_caller() {
    published.look(first, UNMASKED);
    driver.node(2, "here", "rack");
    assertThat(published.look(driver.metadata(null), UNMASKED)).isTrue();
    assertThat(last().ring().nodes()).hasSize(2);
  }

  /** Otherwise a request could be planned for a node that the listener does not know yet. */
  @Test
  void each_snapshot_is_announced_before_requests_can_read_it() {
    published.look(first, UNMASKED);
    assertThat(coming).isNotNull().isSameAs(last());
    published.pools(Map.of(A, new NodePools(48, 256)));
    assertThat(coming).isSameAs(last());
  }

  @Test
  void a_snapshot_that_the_listener_could_not_take_is_published_at_the_next_look() {
    published.look(first, UNMASKED);
    DriverMetadata.set(node, "state", NodeState.DOWN);
    refuses = true;
    assertThatThrownBy(() -> published.look(first, UNMASKED)).hasMessage("refused");
    refuses = false;
    views.clear();
    published.look(first, UNMASKED);
    assertThat(views).hasSize(1);
  }

  /** The driver changes the id of such a node without new metadata. */
  @Test
  void a_node_that_is_replaced_at_its_own_address_has_left_and_joined() {
    published.look(first, UNMASKED);
    UUID other = new UUID(0, 2);
    DriverMetadata.set(node, "hostId", other);
    assertThat(published.look(first, UNMASKED)).isTrue();
    assertThat(last().ring().nodes()).containsOnlyKeys(new NodeId(other));
  }

  @ParameterizedTest
  @ValueSource(strings = {"datacenter", "rack"})
  void a_node_that_moves_is_elsewhere_in_the_next_snapshot(String where) {
    published.look(first, UNMASKED);
    DriverMetadata.set(node, where, "other");
    assertThat(published.look(first, UNMASKED)).as("the nodes are the same").isFalse();
    assertThat(last().ring().nodes().get(A).toString()).contains(where + "=other");
  }

  @Test
  void a_node_with_another_address_has_it_in_the_next_snapshot() {
    published.look(first, UNMASKED);
    InetSocketAddress address = new InetSocketAddress("10.0.0.77", 9042);
    DriverMetadata.set(node, "endPoint", new DefaultEndPoint(address));
    assertThat(published.look(first, UNMASKED)).as("the nodes are the same").isFalse();
    assertThat(last().ring().nodes().get(A).address()).isEqualTo(address);
  }

  @Test
  void the_catalog_stays_the_same_object_while_the_schema_is_the_same() {
    published.look(driver.metadata(null), UNMASKED);
    assertThat(views).hasSize(1);
    published.look(driver.metadata(null), UNMASKED);
    assertThat(views).hasSize(2);
    assertThat(last().catalog()).isSameAs(views.get(0).catalog());
    driver.keyspace("ks", DriverMetadata.simple(1));
    published.look(driver.metadata(null), UNMASKED);
    assertThat(last().catalog()).isNotSameAs(views.get(0).catalog());
  }

  @Test
  void a_new_mask_is_a_new_catalog_though_the_metadata_is_the_same() {
    published.look(first, UNMASKED);
    published.look(first, MASKED);
    assertThat(views).hasSize(2);
    assertThat(last().catalog()).isNotSameAs(views.get(0).catalog());
    published.look(first, MASKED);
    assertThat(views).hasSize(2);
  }

  @Test
  void each_fact_about_nodes_stays_when_another_part_changes() {
    Map<NodeId, NodePools> pools = Map.of(A, new NodePools(48, 256));
    NodeTimeouts timeouts = NodeTimeouts.of(Map.of("write_request_timeout", "2500ms"));
    published.pools(pools);
    published.agentReported(A, ON);
    published.timeouts(Map.of(A, timeouts));
    published.look(driver.metadata(null), UNMASKED);
    published.pools(pools);
    assertThat(last().agents()).isEqualTo(Map.of(A, NodeAgent.ORDERS));
    published.agentReported(A, OFF);
    assertThat(views).hasSize(6);
    assertThat(last().pools()).isEqualTo(pools);
    assertThat(last().agents()).isEqualTo(Map.of(A, NodeAgent.OFF));
    assertThat(last().timeouts()).isEqualTo(timeouts);
    assertThat(last().catalog()).isSameAs(views.get(0).catalog());
    assertThat(last().ring().node(A)).isNotNull();
  }

  @Test
  void the_largest_timeout_of_all_nodes_counts() {
    published.timeouts(
        Map.of(
            A,
            NodeTimeouts.of(Map.of("write_request_timeout", "3s")),
            new NodeId(new UUID(0, 2)),
            NodeTimeouts.of(Map.of("write_request_timeout", "4s"))));
    NodeTimeouts timeouts = last().timeouts();
    assertThat(timeouts).isNotNull();
    assertThat(timeouts.write()).isEqualTo(Duration.ofSeconds(4));
  }

  @Test
  void each_report_of_an_agent_is_passed_on_but_only_another_state_is_published() {
    published.agentReported(A, ON);
    published.agentReported(A, ON);
    assertThat(views).hasSize(1);
    assertThat(last().agent(A)).isEqualTo(NodeAgent.ORDERS);
    published.agentReported(A, null);
    assertThat(views).hasSize(2);
    assertThat(last().agents()).isEmpty();
    assertThat(reports).containsExactly(ON, ON, null);
  }
}
