package io.sluice.link;

import static io.sluice.link.SilenceWatchTest.QUICK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.link.Link.LinkWaiter;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import io.sluice.time.TestLane;
import io.sluice.wire.Identity;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the trials of nodes without requests, with connections that the test controls. */
class NodeTrialsTest implements LinkOpener {

  private static final long ROUND = 30_000;
  private static final Identity SELF = Identity.plain("sluice", "secret");

  private final TestLane lane = new TestLane();
  private final List<Opening> openings = new ArrayList<>();
  private List<Node> shunned = List.of(node(1));
  private boolean faulty;
  private boolean ended;
  private final NodeTrials trials = new NodeTrials(this, lane, SELF, this::shunned, () -> ended);

  private record Opening(Node node, LinkKey key, LinkWaiter waiter) {}

  private static Node node(int number) {
    return new Node(
        new NodeId(new UUID(0, number)),
        InetSocketAddress.createUnresolved("n" + number, 1),
        "dc",
        "r",
        false);
  }

  private List<Node> shunned() {
    if (faulty) {
      throw new IllegalStateException("faulty");
    }
    return shunned;
  }

  @Override
  public void openReady(Lane on, Node node, LinkKey key, LinkWaiter waiter) {
    openings.add(new Opening(node, key, waiter));
  }

  @Override
  public LinkConfig config() {
    return QUICK;
  }

  @Override
  public NodePulse pulse(NodeId id) {
    return new NodePulse(id, QUICK, lane, (node, suspect) -> {});
  }

  @BeforeEach
  void begin() {
    trials.begin();
  }

  /** A node of another cluster does not accept the login, and has another host id. */
  @Test
  void a_node_is_tried_as_the_proxy_s_own_role_at_the_host_id_by_which_it_is_known() {
    lane.pass(1_000);
    assertThat(openings.get(0).key()).isEqualTo(new LinkKey(SELF, 4, null));
    assertThat(openings.get(0).node()).isEqualTo(node(1));
  }

  @Test
  void the_link_of_a_trial_is_closed_at_once() {
    lane.pass(1_000);
    EmbeddedChannel channel = new EmbeddedChannel();
    NodePulse pulse = pulse(node(1).id());
    openings.get(0).waiter().ready(new Link(pulse, 4, channel, lane, lane, QUICK, bytes -> {}));
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void a_node_that_cannot_be_reached_is_tried_again_every_thirty_seconds() {
    for (int round = 0; round < 200; round++) {
      lane.pass(ROUND);
      assertThat(openings).extracting(Opening::node).containsExactly(node(1));
      openings.remove(0).waiter().failed(LinkFailure.unreachable("refused"));
    }
    shunned = List.of();
    lane.pass(2 * ROUND);
    assertThat(openings).isEmpty();
  }

  @Test
  void one_of_many_nodes_is_tried_each_second_and_each_in_its_turn() {
    shunned = new ArrayList<>();
    for (int number = 1; number <= 40; number++) {
      shunned.add(node(number));
    }
    for (int number = 1; number <= 80; number++) {
      lane.pass(1_000);
      assertThat(openings)
          .extracting(Opening::node)
          .hasSize(number)
          .last()
          .isEqualTo(node(number <= 40 ? number : number - 40));
    }
  }

  @Test
  void trials_go_on_after_an_exception() {
    faulty = true;
    assertThatThrownBy(() -> lane.pass(1_000)).isInstanceOf(IllegalStateException.class);
    faulty = false;
    lane.pass(ROUND + 1_000);
    assertThat(openings).hasSize(1);
  }

  @Test
  void nothing_is_tried_after_the_end() {
    ended = true;
    lane.pass(1_000);
    assertThat(openings).isEmpty();
    assertThat(lane.scheduled()).isZero();
  }
}
