package io.sluice.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The capabilities of a provider's clusters, and the outcome where none can be had. */
class ProviderTest {

  @Test
  void a_provider_that_cannot_start_a_cluster_fails_and_says_what_lacks() {
    assertThatThrownBy(() -> Provider.EXTERNAL.start(new ClusterShape(3, 3, false, false)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("-Dit.nodes names 0 nodes, the tests need 3");
  }

  @Test
  void every_capability_is_that_of_some_provider() {
    Set<Capability> all = EnumSet.noneOf(Capability.class);
    for (Provider provider : Provider.values()) {
      all.addAll(provider.capabilities());
    }
    assertThat(all).containsExactlyInAnyOrder(Capability.values());
  }
}
