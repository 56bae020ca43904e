package io.sluice.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OutageTest {

  private final Outage outage = new Outage();

  private boolean seen(boolean anyUp, long second) {
    return outage.seen(anyUp, TimeUnit.SECONDS.toNanos(second));
  }

  @Test
  void a_cluster_with_a_node_that_is_up_needs_no_reconnect() {
    assertThat(seen(true, 0)).isFalse();
    assertThat(seen(true, 100)).isFalse();
  }

  @Test
  void a_cluster_that_was_unreachable_for_ten_seconds_needs_a_reconnect() {
    seen(true, 0);
    assertThat(seen(false, 100)).isFalse();
    assertThat(seen(false, 109)).isFalse();
    assertThat(seen(false, 110)).isTrue();
  }

  @Test
  void the_next_reconnect_is_ten_seconds_later() {
    seen(false, 0);
    assertThat(seen(false, 10)).isTrue();
    assertThat(seen(false, 11)).isFalse();
    assertThat(seen(false, 20)).isTrue();
  }

  @Test
  void a_node_that_comes_up_in_between_ends_the_outage() {
    seen(false, 0);
    assertThat(seen(true, 9)).isFalse();
    assertThat(seen(false, 11)).isFalse();
    assertThat(seen(false, 20)).isFalse();
    assertThat(seen(false, 21)).isTrue();
  }
}
