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
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.Opcode;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the trials of nodes without requests, with connections that the test controls. */
class NodeTrialsTest {

  private static final long ROUND = 30_000;

  private final TestLane lane = new TestLane();
  private final List<String> log = new ArrayList<>();
  private final List<EmbeddedChannel> channels = new ArrayList<>();
  private final List<Opening> openings = new ArrayList<>();
  private List<Node> shunned = List.of(node(1));
  private boolean faulty;
  private boolean ended;
  private final NodeTrials trials =
      new NodeTrials(this::open, QUICK, lane, this::shunned, () -> ended);

  private record Opening(Node node, LinkWaiter waiter) {}

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

  private void open(Lane on, Node node, int version, LinkWaiter waiter) {
    openings.add(new Opening(node, waiter));
  }

  private NodePulse pulse(NodeId id) {
    return new NodePulse(
        id, QUICK, lane, (node, suspect) -> log.add((suspect ? "suspect " : "fine ") + node));
  }

  /** Accepts the oldest connection that is being opened. */
  private EmbeddedChannel accept() {
    Opening opening = openings.remove(0);
    EmbeddedChannel channel = new EmbeddedChannel();
    channels.add(channel);
    Link link = new Link(pulse(opening.node().id()), 4, channel, lane, lane, QUICK, bytes -> {});
    channel.pipeline().addLast(link);
    opening.waiter().ready(link);
    lane.runSoon();
    return channel;
  }

  /** Takes the OPTIONS request from a connection, and returns its stream id. */
  private static int asked(EmbeddedChannel channel) {
    Frame request = channel.readOutbound();
    assertThat(request).isNotNull();
    assertThat(request.opcode()).isEqualTo(Opcode.OPTIONS);
    int stream = request.stream();
    request.release();
    return stream;
  }

  @BeforeEach
  void begin() {
    trials.begin();
  }

  @AfterEach
  void release_sent_frames() {
    channels.forEach(EmbeddedChannel::finishAndReleaseAll);
  }

  @Test
  void a_node_that_answers_is_heard_and_its_connection_is_closed() {
    lane.pass(1_000);
    EmbeddedChannel channel = accept();
    int stream = asked(channel);
    assertThat(log).as("before it has answered").isEmpty();
    channel.pipeline().fireChannelRead(CqlCodec.supported(4, Map.of()).onStream(stream));
    assertThat(log).containsExactly("fine " + node(1).id());
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void a_node_that_accepts_and_does_not_answer_stays_as_it_is() {
    lane.pass(1_000);
    EmbeddedChannel channel = accept();
    asked(channel);
    lane.pass(QUICK.suspectAfter().toMillis());
    assertThat(channel.isOpen()).isFalse();
    assertThat(log).isEmpty();
  }

  @Test
  void a_node_that_cannot_be_reached_is_tried_again_every_thirty_seconds() {
    for (int round = 0; round < 200; round++) {
      lane.pass(ROUND);
      assertThat(openings).extracting(Opening::node).containsExactly(node(1));
      openings.remove(0).waiter().failed(LinkFailure.unreachable("refused"));
    }
    assertThat(log).isEmpty();
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
