package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class NodePoolsTest {

  @Test
  void the_sizes_of_a_nodes_pools_are_read() {
    assertThat(
            NodePools.of(
                Map.of("ReadStage", 48, "MutationStage", 32, "Native-Transport-Requests", 256)))
        .isEqualTo(new NodePools(48, 256));
  }

  @Test
  void a_pool_that_has_not_started_has_the_default_size() {
    assertThat(NodePools.of(Map.of("MutationStage", 7))).isEqualTo(new NodePools(32, 128));
  }

  @Test
  void no_pool_is_smaller_than_one() {
    assertThat(NodePools.of(Map.of("ReadStage", 0, "Native-Transport-Requests", 0)))
        .isEqualTo(new NodePools(1, 1));
  }
}
