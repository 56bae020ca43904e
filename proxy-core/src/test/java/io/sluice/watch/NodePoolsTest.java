package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class NodePoolsTest {

  @Test
  void a_node_says_how_much_it_works_on_at_once() {
    assertThat(
            NodePools.of(
                Map.of("ReadStage", 48, "MutationStage", 32, "Native-Transport-Requests", 256)))
        .isEqualTo(new NodePools(48, 256));
  }

  @Test
  void a_pool_that_is_not_in_use_yet_is_as_large_as_usual() {
    assertThat(NodePools.of(Map.of("MutationStage", 7))).isEqualTo(new NodePools(32, 128));
  }

  @Test
  void nothing_is_ever_smaller_than_one() {
    assertThat(NodePools.of(Map.of("ReadStage", 0, "Native-Transport-Requests", 0)))
        .isEqualTo(new NodePools(1, 1));
  }
}
