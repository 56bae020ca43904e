package io.sluice.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The capabilities of the providers, and the failure of one that cannot start a cluster. */
class ProviderTest {

  @Test
  void a_provider_that_cannot_start_a_cluster_fails_with_the_reason() {
    assertThatThrownBy(() -> Provider.EXTERNAL.start(new ClusterShape(3, 3, false, false)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("-Dit.nodes names 0 nodes, the tests need 3");
  }

  @Test
  void each_capability_is_supported_by_some_provider() {
    Set<Capability> all = EnumSet.noneOf(Capability.class);
    for (Provider provider : Provider.values()) {
      all.addAll(provider.capabilities());
    }
    assertThat(all).containsExactlyInAnyOrder(Capability.values());
  }
}
