package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.ring.Ring;
import io.sluice.ring.TestPartitioner;
import io.sluice.time.TestLane;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SchemaHomesTest {

  private static final NodeId ONE = new NodeId(new UUID(0, 1));
  private static final NodeId TWO = new NodeId(new UUID(0, 2));
  private static final NodeId THREE = new NodeId(new UUID(0, 3));

  private final NodeHealth health = new NodeHealth((node, suspect) -> {});
  private final SchemaHomes homes = new SchemaHomes(health);
  private final TestLane lane = new TestLane();
  private final TestClient client = new TestClient(5, lane);

  private List<NodeId> first() {
    return homes.first(client, List.of(ONE, TWO, THREE));
  }

  @Test
  void without_a_schema_change_the_order_of_nodes_is_unchanged() {
    assertThat(first()).containsExactly(ONE, TWO, THREE);
  }

  @Test
  void the_node_of_the_last_change_comes_first_until_schema_agreement() {
    homes.changed(client, TWO);
    homes.changed(client, THREE);
    assertThat(first()).containsExactly(THREE, ONE, TWO);
    homes.agreed(client, lastChange());
    assertThat(first()).containsExactly(ONE, TWO, THREE);
  }

  @Test
  void agreement_on_a_change_leaves_a_later_one_at_its_node() {
    homes.changed(client, TWO);
    SchemaHomes.Change earlier = lastChange();
    homes.changed(client, TWO);
    homes.agreed(client, earlier);
    assertThat(first()).containsExactly(TWO, ONE, THREE);
    homes.changed(client, THREE);
    homes.notAgreed(client, earlier);
    assertThat(first()).containsExactly(THREE, ONE, TWO);
  }

  @Test
  void a_change_without_agreement_is_restored() {
    homes.changed(client, TWO);
    SchemaHomes.Change earlier = lastChange();
    homes.changed(client, THREE);
    homes.agreed(client, lastChange());
    homes.notAgreed(client, earlier);
    assertThat(first()).containsExactly(TWO, ONE, THREE);
  }

  /** A node that hangs for long may be the one of the change. */
  @Test
  void a_change_without_agreement_is_forgotten_after_a_while_and_a_later_one_stays() {
    homes.changed(client, TWO);
    homes.notAgreed(client, lastChange());
    lane.pass(29_999);
    assertThat(first()).containsExactly(TWO, ONE, THREE);
    lane.pass(1);
    assertThat(first()).containsExactly(ONE, TWO, THREE);
    homes.changed(client, TWO);
    homes.notAgreed(client, lastChange());
    homes.changed(client, THREE);
    lane.pass(30_000);
    assertThat(first()).containsExactly(THREE, ONE, TWO);
  }

  @Test
  void the_change_of_a_client_that_left_is_forgotten() {
    homes.changed(client, TWO);
    homes.forget(client);
    assertThat(first()).containsExactly(ONE, TWO, THREE);
  }

  private SchemaHomes.Change lastChange() {
    return Objects.requireNonNull(homes.lastChange(client));
  }

  @Test
  void a_change_does_not_affect_other_clients() {
    homes.changed(client, TWO);
    TestClient other = new TestClient(5).numbered(2);
    assertThat(homes.first(other, List.of(ONE, TWO))).containsExactly(ONE, TWO);
  }

  @Test
  void a_silent_node_with_the_change_comes_first() {
    homes.changed(client, TWO);
    health.suspect(TWO, true);
    assertThat(first()).containsExactly(TWO, ONE, THREE);
  }

  @Test
  void a_node_that_is_down_or_has_left_does_not_come_first() {
    homes.changed(client, TWO);
    assertThat(homes.first(client, List.of(ONE, THREE))).containsExactly(ONE, THREE);
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    Map<NodeId, Node> nodes = Map.of(TWO, new Node(TWO, address, "dc", "r", false));
    health.changed(new Ring(TestPartitioner.ANY, "dc", nodes, Map.of()));
    assertThat(first()).containsExactly(ONE, TWO, THREE);
  }
}
