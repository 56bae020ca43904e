package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ClusterSpecTest {
  private final ClusterSpec spec = ClusterSpec.defaults();

  @Test
  void an_invalid_setting_is_named_with_its_range() {
    assertThatThrownBy(() -> spec.withNodes(0, 1))
        .hasMessage("nodes: 0 is out of range; it can be 1 to 20");
    assertThatThrownBy(() -> spec.withDatacenters(4)).hasMessageStartingWith("datacenters: 4");
    assertThatThrownBy(() -> spec.withNodes(3, 4)).hasMessageStartingWith("rf: 4");
    assertThatThrownBy(() -> spec.withConcurrentReads(1))
        .hasMessageStartingWith("concurrent-reads: 1");
    assertThatThrownBy(() -> spec.withHeap("400")).hasMessageContaining("write it like 400m");
    assertThatThrownBy(() -> spec.withCassandra("3.11.19")).hasMessageContaining("3.11.19");
    assertThatThrownBy(() -> spec.withPorts(0, 17_000)).hasMessageStartingWith("port: 0");
  }

  @Test
  void the_text_of_a_spec_does_not_depend_on_the_order_of_options() {
    assertThat(spec.withYaml("b", 1).withYaml("a", 2))
        .hasToString(spec.withYaml("a", 2).withYaml("b", 1).toString());
  }

  @Test
  void each_with_changes_one_thing() {
    ClusterSpec changed =
        spec.withJvmArg("-Da=1").withJvmArg("-Db=2").withHeap("1g").withVnodes(16);

    assertThat(changed.jvm().args()).containsExactly("-Da=1", "-Db=2");
    assertThat(changed.jvm().heap()).isEqualTo("1g");
    assertThat(changed.topology().vnodes()).isEqualTo(16);
    assertThat(changed.nodes()).isEqualTo(spec.nodes());
  }
}
