package io.sluice.agent.join;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeferralTest {
  private final FakeJoinNode node = new FakeJoinNode();
  private final Deferral deferral = new Deferral(node::ended);

  @Test
  void it_is_on_until_it_is_switched_off() {
    assertThat(deferral.isOn()).isTrue();

    deferral.setEnabled(false);
    assertThat(deferral.isOn()).isFalse();

    deferral.setEnabled(true);
    assertThat(deferral.isOn()).isTrue();
    assertThat(node.ended).isEmpty();
  }

  @Test
  void after_an_error_it_cannot_be_switched_on_again() {
    deferral.end("the disk is full", null);
    deferral.setEnabled(true);

    assertThat(deferral.isOn()).isFalse();
  }

  @Test
  void the_node_is_told_of_the_first_end_only() {
    deferral.end("the disk is full", null);
    deferral.end("the agent failed", new IllegalStateException());

    assertThat(node.ended).containsExactly("the disk is full");
  }
}
