package io.sluice.link;

import static io.sluice.link.SilenceWatchTest.QUICK;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ring.NodeId;
import io.sluice.time.TestLane;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests of a node's signs of life on all its links, with a clock that the test moves. */
class NodePulseTest {

  private static final NodeId NODE = new NodeId(new UUID(0, 1));

  private final TestLane lane = new TestLane();
  private final List<String> log = new ArrayList<>();
  private final NodePulse pulse =
      new NodePulse(NODE, QUICK, lane, (node, suspect) -> log.add(suspect ? "suspect" : "fine"));

  private void heard() {
    pulse.heard(lane.nanoTime());
  }

  @Test
  void a_node_that_was_never_heard_is_suspect_at_the_first_silence() {
    pulse.silent();
    assertThat(log).containsExactly("suspect");
    assertThat(pulse.isSuspect()).isTrue();
  }

  @Test
  void a_node_that_a_link_has_heard_lately_is_not_suspect() {
    heard();
    lane.pass(30);
    pulse.silent();
    assertThat(log).isEmpty();
    lane.pass(1);
    pulse.silent();
    assertThat(log).containsExactly("suspect");
  }

  @Test
  void bytes_on_any_link_end_the_suspicion() {
    pulse.silent();
    heard();
    heard();
    assertThat(log).containsExactly("suspect", "fine");
    assertThat(pulse.isSuspect()).isFalse();
  }

  /** The cluster may report the node down, although no link has missed it. */
  @Test
  void a_link_that_is_ready_is_told_even_if_the_node_was_not_suspect() {
    heard();
    pulse.opened();
    assertThat(log).containsExactly("fine");
  }

  @Test
  void a_suspect_node_stays_so_and_is_told_again_because_the_cluster_may_have_said_otherwise() {
    pulse.silent();
    pulse.silent();
    assertThat(log).containsExactly("suspect", "suspect");
  }

  @Test
  void a_failed_connection_makes_a_node_suspect_that_has_no_other() {
    pulse.unreachable();
    assertThat(log).containsExactly("suspect");
  }

  @Test
  void a_failed_connection_makes_other_links_ask_when_they_have_heard_nothing_lately() {
    pulse.opened();
    pulse.unreachable();
    assertThat(pulse.isSuspect()).isFalse();
    assertThat(pulse.doubts()).isEqualTo(1);
    heard();
    pulse.unreachable();
    assertThat(pulse.doubts()).as("the node was just heard").isEqualTo(1);
    pulse.closed();
    lane.pass(31);
    pulse.unreachable();
    assertThat(log).containsExactly("fine", "suspect");
  }

  /** Another lane hears the node while this one reports its silence. */
  @Test
  void the_last_published_state_is_the_current_one() {
    List<Boolean> told = new ArrayList<>();
    List<NodePulse> self = new ArrayList<>();
    NodePulse raced =
        new NodePulse(
            NODE,
            QUICK,
            lane,
            (node, suspect) -> {
              if (suspect) {
                self.get(0).heard(lane.nanoTime());
              }
              told.add(suspect);
            });
    self.add(raced);
    raced.silent();
    assertThat(raced.isSuspect()).isFalse();
    assertThat(told).last().isEqualTo(false);
  }

  @Test
  void only_one_slot_reconnects_to_a_suspect_node() {
    assertThat(pulse.takeRetry()).as("it is not suspect").isFalse();
    pulse.silent();
    assertThat(pulse.takeRetry()).isTrue();
    assertThat(pulse.takeRetry()).isFalse();
    pulse.giveRetryBack();
    assertThat(pulse.takeRetry()).isTrue();
  }
}
