package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ClusterIdsTest {

  private static Set<UUID> uuids(long... numbers) {
    return Arrays.stream(numbers)
        .mapToObj(number -> new UUID(0, number))
        .collect(Collectors.toSet());
  }

  private static ClusterIds ids(Set<UUID> nodes, Set<UUID> tables) {
    return new ClusterIds(nodes, tables);
  }

  private static void assertMayBe(ClusterIds one, ClusterIds other, boolean expected) {
    assertThat(one.mayBe(other)).isEqualTo(expected);
    assertThat(other.mayBe(one)).isEqualTo(expected);
  }

  private final ClusterIds before = ids(uuids(1, 2, 3), uuids(11, 12));

  @Test
  void a_cluster_is_known_by_each_node_that_was_not_replaced() {
    assertMayBe(before, ids(uuids(3, 4, 5), uuids(13)), true);
  }

  @Test
  void a_cluster_whose_nodes_are_all_new_is_known_by_each_table() {
    assertMayBe(before, ids(uuids(4, 5, 6), uuids(12, 13)), true);
  }

  @Test
  void a_cluster_without_tables_may_be_any() {
    assertMayBe(before, ids(uuids(4), uuids()), true);
  }

  @Test
  void a_cluster_with_none_of_the_nodes_and_tables_is_another() {
    assertMayBe(before, ids(uuids(4, 5, 6), uuids(13, 14)), false);
  }
}
