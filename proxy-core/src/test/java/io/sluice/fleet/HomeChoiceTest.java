package io.sluice.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.fleet.HomeChoice.Away;
import io.sluice.fleet.HomeChoice.Here;
import io.sluice.fleet.HomeChoice.Instead;
import io.sluice.ring.NodeId;
import io.sluice.setting.RefusedSettings;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests at which proxy a piece is queued, as one of three proxies decides. */
class HomeChoiceTest {

  private static final UUID SELF = new UUID(1, 1);
  private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.0.0.1", 9042);

  private final Homes homes = new Homes(SELF, new UUID(9, 9), List.of(home(2), home(3)), List.of());
  private final Set<NodeId> ill = new HashSet<>();
  private final Set<UUID> unusable = new HashSet<>();
  private final Map<NodeId, Double> waits = new HashMap<>();

  private static Homes.Home home(int number) {
    return new Homes.Home(new UUID(number, number), ADDRESS, new UUID(7, number));
  }

  /** Returns a node for each wanted home. */
  private List<NodeId> nodes(Homes.Home... wanted) {
    List<NodeId> found = new ArrayList<>();
    long next = 0;
    for (Homes.Home home : wanted) {
      NodeId node;
      do {
        node = new NodeId(new UUID(0, next++));
      } while (home.equals(home(1)) ? homes.of(node) != null : !home.equals(homes.of(node)));
      found.add(node);
    }
    return found;
  }

  private HomeChoice choice(List<NodeId> replicas) {
    return HomeChoice.of(
        homes,
        replicas,
        new HomeChoice.HomeState(
            node -> !ill.contains(node),
            node -> waits.getOrDefault(node, 0.0),
            to -> !unusable.contains(to.home().instance())));
  }

  @Test
  void a_piece_goes_to_the_home_of_its_first_replica() {
    List<NodeId> nodes = nodes(home(2), home(3), home(1));
    assertThat(choice(nodes)).isEqualTo(new Away(home(2), nodes.get(0)));
  }

  @Test
  void a_piece_stays_here_for_the_replicas_whose_home_is_this_proxy() {
    List<NodeId> nodes = nodes(home(1), home(2), home(1));
    assertThat(choice(nodes)).isEqualTo(new Here(List.of(nodes.get(0), nodes.get(2))));
  }

  @Test
  void a_proxy_that_knows_no_other_keeps_all_pieces() {
    List<NodeId> nodes = nodes(home(2), home(3));
    HomeChoice.HomeState state = new HomeChoice.HomeState(node -> true, node -> 0, to -> true);
    Homes alone = new Homes(SELF, new UUID(9, 9), List.of(), List.of());
    assertThat(HomeChoice.of(alone, nodes, state)).isEqualTo(new Here(nodes));
    assertThat(HomeChoice.of(Homes.NONE, nodes, state)).isEqualTo(new Here(nodes));
    assertThat(Homes.NONE.sharing(nodes.get(0))).isOne();
  }

  @Test
  void a_suspect_replica_is_skipped_unless_all_are_suspect() {
    List<NodeId> nodes = nodes(home(2), home(3));
    ill.add(nodes.get(0));
    assertThat(choice(nodes)).isEqualTo(new Away(home(3), nodes.get(1)));
    ill.add(nodes.get(1));
    assertThat(choice(nodes)).isEqualTo(new Away(home(2), nodes.get(0)));
  }

  @Test
  void a_piece_goes_to_a_replica_with_less_than_half_the_wait() {
    List<NodeId> nodes = nodes(home(2), home(3));
    waits.put(nodes.get(0), 10_000.0);
    waits.put(nodes.get(1), 5_000.0);
    assertThat(choice(nodes)).isEqualTo(new Away(home(2), nodes.get(0)));
    waits.put(nodes.get(1), 4_999.0);
    assertThat(choice(nodes)).isEqualTo(new Away(home(3), nodes.get(1)));
    waits.put(nodes.get(0), 1_000.0);
    waits.put(nodes.get(1), 0.0);
    assertThat(choice(nodes))
        .as("a short wait is not compared")
        .isEqualTo(new Away(home(2), nodes.get(0)));
  }

  @Test
  void a_piece_stays_here_if_its_home_is_unusable() {
    List<NodeId> nodes = nodes(home(2), home(3));
    unusable.add(home(2).instance());
    assertThat(choice(nodes)).isEqualTo(new Instead(home(2)));
  }

  @Test
  void the_slots_of_a_node_with_another_home_are_divided_by_the_proxies() {
    List<NodeId> nodes = nodes(home(1), home(2));
    assertThat(homes.sharing(nodes.get(0))).isOne();
    assertThat(homes.sharing(nodes.get(1))).isEqualTo(3);
  }

  @Test
  void homes_require_heartbeats() {
    assertThatThrownBy(() -> new FleetConfig(ADDRESS, List.of(), false, true))
        .isInstanceOf(RefusedSettings.class)
        .hasMessageContaining("cql.homes");
    assertThat(new FleetConfig(ADDRESS, List.of(), true, true).homes()).isTrue();
  }
}
