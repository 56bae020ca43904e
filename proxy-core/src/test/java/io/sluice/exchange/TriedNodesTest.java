package io.sluice.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.NodeId;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the bounds on the nodes that a read tries. */
class TriedNodesTest {

  private final TriedNodes tried = new TriedNodes();

  private static List<NodeId> nodes(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(i -> new NodeId(new UUID(0, i))).toList();
  }

  private void add(List<NodeId> nodes) {
    nodes.forEach(tried::add);
  }

  @Test
  void a_tried_node_is_not_tried_again_and_the_others_keep_their_order() {
    assertThat(tried.without(nodes(1, 4))).isEqualTo(nodes(1, 4));
    add(nodes(2, 2));
    assertThat(tried.without(nodes(1, 4)))
        .containsExactly(nodes(1, 1).get(0), nodes(3, 3).get(0), nodes(4, 4).get(0));
  }

  @Test
  void a_read_tries_32_nodes_at_most_and_counts_each_once() {
    add(nodes(1, 31));
    add(nodes(1, 31));
    assertThat(tried.isFull()).isFalse();
    add(nodes(32, 32));
    assertThat(tried.isFull()).isTrue();
  }

  @Test
  void a_read_tries_two_nodes_at_most_that_are_no_replicas() {
    List<NodeId> replicas = nodes(1, 3);
    add(replicas);
    add(nodes(4, 4));
    assertThat(tried.mayTryOthers(replicas)).isTrue();
    add(nodes(4, 4));
    assertThat(tried.mayTryOthers(replicas)).as("the same node twice").isTrue();
    add(nodes(5, 5));
    assertThat(tried.mayTryOthers(replicas)).isFalse();
  }
}
