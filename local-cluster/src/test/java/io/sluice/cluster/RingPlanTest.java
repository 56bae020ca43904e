package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The addresses and the tokens of nodes. */
class RingPlanTest {
  private final ClusterSpec spec = ClusterSpec.defaults().withDir(Path.of("/c"));

  @Test
  void with_many_addresses_each_node_has_one_and_all_have_the_same_ports() {
    List<NodePlan> nodes = new RingPlan(spec, true).nodes();

    assertThat(nodes.stream().map(NodePlan::host))
        .containsExactly("127.0.0.1", "127.0.0.2", "127.0.0.3");
    assertThat(nodes).allMatch(node -> node.port() == 19_042 && node.storagePort() == 17_000);
  }

  @Test
  void with_one_address_the_ports_are_consecutive() {
    List<NodePlan> nodes = new RingPlan(spec, false).nodes();

    assertThat(nodes).allMatch(node -> node.host().equals("127.0.0.1"));
    assertThat(nodes.stream().map(NodePlan::port)).containsExactly(19_042, 19_043, 19_044);
    assertThat(nodes.stream().map(NodePlan::storagePort)).containsExactly(17_000, 17_001, 17_002);
  }

  @Test
  void each_node_has_a_folder_with_its_log_and_arguments() {
    NodePlan node = new RingPlan(spec, true).nodes().get(2);

    assertThat(node.dir()).isEqualTo(Path.of("/c/node3"));
    assertThat(node.log()).isEqualTo(Path.of("/c/node3/system.log"));
    assertThat(node.jvmArgs()).isEqualTo(Path.of("/c/node3/jvm.args"));
    assertThat(node.name()).isEqualTo("node 3 (127.0.0.3:19042)");
    assertThat(node.address().getPort()).isEqualTo(19_042);
  }

  @Test
  void a_joining_node_takes_the_next_place_and_is_not_a_seed() {
    RingPlan ring = new RingPlan(spec.withNodes(2, 1), true);
    String seeds = ring.seeds();

    NodePlan joining = ring.addJoining();

    assertThat(joining.index()).isEqualTo(2);
    assertThat(joining.host()).isEqualTo("127.0.0.3");
    assertThat(joining.joins()).isTrue();
    assertThat(ring.nodes()).hasSize(3).noneMatch(node -> node.joins() && !node.equals(joining));
    assertThat(ring.seeds()).isEqualTo(seeds);
  }

  @ParameterizedTest
  @EnumSource(ClusterPartitioner.class)
  void no_two_nodes_have_a_token_in_common_even_when_more_join(ClusterPartitioner partitioner) {
    RingPlan ring = new RingPlan(spec.withPartitioner(partitioner).withVnodes(16), true);
    ring.addJoining();
    ring.addJoining();

    Set<String> tokens = new HashSet<>();
    ring.nodes().forEach(node -> tokens.addAll(node.tokens()));

    assertThat(ring.nodes()).allMatch(node -> node.tokens().size() == 16);
    assertThat(tokens).hasSize(5 * 16);
  }

  @ParameterizedTest
  @CsvSource({
    "MURMUR3, Murmur3Partitioner, -9223372036854775808",
    "RANDOM, RandomPartitioner, 0",
    "BYTEORDERED, ByteOrderedPartitioner, 0000000000000000"
  })
  void each_partitioner_writes_its_own_tokens(
      ClusterPartitioner partitioner, String name, String first) {
    assertThat(partitioner.className()).isEqualTo("org.apache.cassandra.dht." + name);
    assertThat(partitioner.tokenAt(BigInteger.ZERO)).isEqualTo(first);
  }

  @Test
  void the_plan_cannot_be_changed_from_outside() {
    List<NodePlan> nodes = new RingPlan(spec, true).nodes();

    assertThatThrownBy(nodes::clear).isInstanceOf(UnsupportedOperationException.class);
  }
}
