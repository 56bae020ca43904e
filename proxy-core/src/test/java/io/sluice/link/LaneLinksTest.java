package io.sluice.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.link.Link.AnswerHandler;
import io.sluice.link.Link.LinkWaiter;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import io.sluice.time.TestLane;
import io.sluice.wire.Compression;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.FrameHandlers;
import io.sluice.wire.Framing;
import io.sluice.wire.Identity;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of the links of one lane, which is checked every 100 ms, with an opener that the test
 * controls.
 */
class LaneLinksTest {

  private static final long TICK = 100;

  private static final LinkConfig CONFIG =
      new LinkConfig(
          Compression.NONE,
          Duration.ofMillis(2000),
          Duration.ofMillis(150),
          Duration.ofMillis(350),
          Duration.ofMillis(1000),
          Duration.ofMillis(3000));

  private static final LinkKey KEY = new LinkKey(Identity.ANONYMOUS, 4, null);
  private static final LinkFailure UNREACHABLE = LinkFailure.unreachable("no route");

  private final TestLane lane = new TestLane();
  private final Map<NodeId, NodePulse> pulses = new HashMap<>();
  private final List<Opening> openings = new ArrayList<>();
  private final List<EmbeddedChannel> channels = new ArrayList<>();
  private final LaneLinks links = new LaneLinks(new Opener(), lane, 0);

  private record Opening(Node node, LinkKey key, LinkWaiter waiter) {}

  /** Whether a silent node makes the check of its link throw. */
  private boolean faulty;

  private void told() {
    if (faulty) {
      throw new IllegalStateException("faulty");
    }
  }

  private final class Opener implements LinkOpener {
    @Override
    public void openReady(Lane on, Node node, LinkKey key, LinkWaiter waiter) {
      openings.add(new Opening(node, key, waiter));
    }

    @Override
    public LinkConfig config() {
      return CONFIG;
    }

    @Override
    public NodePulse pulse(NodeId node) {
      return pulses.computeIfAbsent(
          node, id -> new NodePulse(id, CONFIG, lane, (each, suspect) -> told()));
    }
  }

  private static Node node(int number) {
    return new Node(
        new NodeId(new UUID(0, number)),
        InetSocketAddress.createUnresolved("n" + number, 1),
        "dc",
        "r",
        true);
  }

  private LinkOutcome acquire(Node node, LinkKey key) {
    LinkOutcome waiter = new LinkOutcome();
    links.acquire(node, key, waiter);
    return waiter;
  }

  /** Opens every pending connection. */
  private void open() {
    List<Opening> begun = List.copyOf(openings);
    openings.clear();
    begun.forEach(each -> each.waiter().ready(link(each.node())));
  }

  /** Fails every pending connection. */
  private void fail(LinkFailure failure) {
    List<Opening> begun = List.copyOf(openings);
    openings.clear();
    begun.forEach(each -> each.waiter().failed(failure));
  }

  private Link link(Node node) {
    EmbeddedChannel channel = new EmbeddedChannel();
    channels.add(channel);
    FrameHandlers.install(channel.pipeline(), Framing.Side.CLIENT, 1 << 20);
    channel.pipeline().remove("frame-reader");
    Link link = new Link(pulses.get(node.id()), 4, channel, lane, lane, CONFIG, bytes -> {});
    channel.pipeline().addLast(link);
    link.becomesReady();
    return link;
  }

  /** A request without a response; the test says what its link's silence leads to. */
  private static void ask(@Nullable Link link, Consumer<String> told) {
    assertThat(link).isNotNull();
    link.send(
        CqlCodec.options(4),
        new AnswerHandler() {
          @Override
          public void answered(Frame answer) {
            answer.release();
          }

          @Override
          public void lost(String reason) {
            told.accept("lost");
          }

          @Override
          public void silent() {
            told.accept("silent");
          }
        });
  }

  private static LinkKey in(String keyspace) {
    return new LinkKey(Identity.ANONYMOUS, 4, keyspace);
  }

  private long openChannels() {
    return channels.stream().filter(EmbeddedChannel::isOpen).count();
  }

  /** Opens every pending connection, and every one that is requested afterwards. */
  private void openAll() {
    while (!openings.isEmpty()) {
      open();
      lane.runSoon();
    }
  }

  private List<LinkOutcome> acquireInManyKeyspaces(Node node) {
    List<LinkOutcome> waiters = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      waiters.add(acquire(node, in("ks" + i)));
    }
    return waiters;
  }

  /** The keyspaces may not exist, and each would cost a connection and a login. */
  @Test
  void for_many_keyspaces_at_once_few_links_are_opened_at_a_time() {
    List<LinkOutcome> waiters = acquireInManyKeyspaces(node(1));
    int most = 0;
    while (!openings.isEmpty()) {
      most = Math.max(most, openings.size());
      open();
      lane.runSoon();
    }
    assertThat(most).isEqualTo(4);
    assertThat(waiters).allMatch(each -> each.link != null);
  }

  @Test
  void keyspaces_of_one_identity_hold_up_no_other_identity_and_no_other_node() {
    acquireInManyKeyspaces(node(1));
    acquire(node(1), KEY);
    acquire(node(1), new LinkKey(Identity.plain("a", "x"), 4, "ks"));
    acquire(node(2), in("ks0"));
    assertThat(openings).hasSize(4 + 3);
  }

  @Test
  void openings_that_wait_for_an_unreachable_node_fail_with_the_first() {
    List<LinkOutcome> waiters = acquireInManyKeyspaces(node(1));
    fail(UNREACHABLE);
    lane.runSoon();
    assertThat(waiters).extracting(each -> each.failure).containsOnly(UNREACHABLE);
    assertThat(openings).isEmpty();
    acquire(node(1), in("another"));
    assertThat(openings).as("no turn is lost").hasSize(1);
  }

  @Test
  void a_refused_password_is_not_tried_for_each_keyspace() {
    List<LinkOutcome> waiters = acquireInManyKeyspaces(node(1));
    LinkFailure refused = new LinkFailure(ErrorCode.BAD_CREDENTIALS, "wrong password");
    fail(refused);
    lane.runSoon();
    assertThat(waiters).extracting(each -> each.failure).containsOnly(refused);
  }

  @Test
  void of_many_session_keyspaces_the_idle_links_that_were_used_last_are_kept() {
    for (int i = 0; i < 64; i++) {
      acquire(node(1), in("ks" + i));
    }
    openAll();
    ask(acquire(node(1), in("ks1")).link, told -> {});
    acquire(node(1), in("ks0"));
    for (int i = 64; i < 74; i++) {
      acquire(node(1), in("ks" + i));
      open();
    }
    assertThat(openChannels()).isEqualTo(64);
    assertThat(acquire(node(1), in("ks0")).link).as("was used of late").isNotNull();
    assertThat(acquire(node(1), in("ks1")).link).as("carries a request").isNotNull();
    assertThat(acquire(node(1), in("ks2")).link).as("is the eldest").isNull();
    acquire(node(2), in("ks0"));
    open();
    assertThat(acquire(node(1), in("ks0")).link).as("each node has its own").isNotNull();
  }

  @Test
  void links_that_carry_requests_are_never_closed_for_others() {
    for (int i = 0; i < 70; i++) {
      LinkOutcome waiter = acquire(node(1), in("ks" + i));
      open();
      ask(waiter.link, told -> assertThat(told).isEqualTo("silent"));
    }
    assertThat(openChannels()).isEqualTo(70);
  }

  @AfterEach
  void release_sent_frames() {
    channels.forEach(EmbeddedChannel::finishAndReleaseAll);
  }

  @Test
  void requests_with_the_same_key_share_one_link_to_a_node() {
    LinkOutcome one = acquire(node(1), KEY);
    LinkOutcome two = acquire(node(1), new LinkKey(Identity.ANONYMOUS, 4, null));
    assertThat(openings).hasSize(1);
    open();
    LinkOutcome three = acquire(node(1), KEY);
    assertThat(openings).isEmpty();
    assertThat(one.link).isNotNull().isSameAs(two.link).isSameAs(three.link);
  }

  @Test
  void another_identity_version_keyspace_or_node_has_a_link_of_its_own() {
    List<LinkKey> keys =
        List.of(
            KEY,
            new LinkKey(Identity.plain("a", "x"), 4, null),
            new LinkKey(Identity.plain("a", "y"), 4, null),
            new LinkKey(Identity.ANONYMOUS, 3, null),
            new LinkKey(Identity.ANONYMOUS, 4, "ks"),
            new LinkKey(Identity.ANONYMOUS, 4, "KS"));
    List<LinkOutcome> waiters = new ArrayList<>();
    keys.forEach(key -> waiters.add(acquire(node(1), key)));
    keys.forEach(key -> waiters.add(acquire(node(2), key)));
    assertThat(openings).extracting(Opening::key).hasSize(12).containsAll(keys);
    open();
    assertThat(waiters).extracting(each -> each.link).doesNotContainNull().doesNotHaveDuplicates();
  }

  /** A node may have a new address when its link is opened again. */
  @Test
  void a_node_is_connected_to_at_its_present_address() {
    Node moved =
        new Node(node(1).id(), InetSocketAddress.createUnresolved("elsewhere", 1), "dc", "r", true);
    acquire(node(1), KEY);
    fail(new LinkFailure(ErrorCode.BAD_CREDENTIALS, "no"));
    acquire(moved, KEY);
    assertThat(openings).extracting(Opening::node).containsExactly(moved);
  }

  @Test
  void a_failed_login_does_not_affect_other_identities() {
    LinkOutcome alice = acquire(node(1), new LinkKey(Identity.plain("alice", "wrong"), 4, null));
    LinkFailure refused = new LinkFailure(ErrorCode.BAD_CREDENTIALS, "wrong password");
    fail(refused);
    lane.runSoon();
    assertThat(alice.failure).isEqualTo(refused);
    LinkOutcome bob = acquire(node(1), new LinkKey(Identity.plain("bob", "right"), 4, null));
    open();
    assertThat(bob.link).isNotNull();
    LinkOutcome again = acquire(node(1), new LinkKey(Identity.plain("alice", "wrong"), 4, null));
    assertThat(again.failure).as("not remembered: the password may have been changed").isNull();
    assertThat(openings).hasSize(1);
  }

  @Test
  void links_are_counted_at_the_next_look() {
    acquire(node(1), KEY);
    acquire(node(2), KEY);
    lane.pass(TICK);
    assertThat(links.size()).as("while they are being opened").isZero();
    open();
    lane.pass(TICK);
    assertThat(links.size()).isEqualTo(2);
    channels.get(0).close();
    lane.pass(TICK);
    assertThat(links.size()).isEqualTo(1);
  }

  @Test
  void a_link_that_was_unused_for_long_is_closed() {
    acquire(node(1), KEY);
    LinkOutcome used = acquire(node(2), KEY);
    open();
    for (long passed = 0; passed <= CONFIG.idleAfter().toMillis(); passed += TICK) {
      lane.pass(TICK);
      ask(used.link, told -> {});
      channels.get(1).writeInbound(CqlCodec.ready(4).onStream(0));
    }
    lane.pass(TICK);
    assertThat(channels.get(0).isActive()).isFalse();
    assertThat(channels.get(1).isActive()).isTrue();
    assertThat(links.size()).isEqualTo(1);
    assertThat(openings).as("opened again while none waits").isEmpty();
    acquire(node(1), KEY);
    assertThat(openings).hasSize(1);
  }

  /** The links are not notified when a node leaves, but notice it themselves. */
  @Test
  void a_node_that_left_is_not_reconnected_to_for_ever() {
    acquire(node(1), KEY);
    fail(UNREACHABLE);
    for (int tick = 0; tick < 100 * 20; tick++) {
      lane.pass(TICK);
      fail(UNREACHABLE);
    }
    assertThat(lane.scheduled()).as("only the next look").isEqualTo(1);
  }

  /**
   * A request whose node is silent fails over at once. Its new node may have no link on this lane
   * yet, so a slot is added during the check of all links.
   */
  @Test
  void a_request_that_acquires_a_new_link_during_the_check_does_not_end_the_check() {
    List<String> told = new ArrayList<>();
    List<LinkOutcome> waiters = new ArrayList<>();
    for (int number = 1; number <= 8; number++) {
      waiters.add(acquire(node(number), KEY));
    }
    open();
    for (int number = 1; number <= 8; number++) {
      int from = number;
      ask(
          waiters.get(number - 1).link,
          what -> {
            told.add(what + " " + from);
            acquire(node(from + 100), KEY);
          });
    }
    lane.pass(4 * TICK);
    assertThat(told).hasSize(8).contains("silent 1", "silent 8");
    assertThat(openings).extracting(Opening::node).contains(node(101), node(108));
    lane.pass(CONFIG.dropAfter().toMillis());
    assertThat(channels).as("looked at again").noneMatch(EmbeddedChannel::isActive);
  }

  @Test
  void the_links_are_looked_at_again_after_an_exception_in_a_look() {
    acquire(node(1), KEY);
    open();
    faulty = true;
    ask(acquire(node(1), KEY).link, told -> {});
    assertThatThrownBy(() -> lane.pass(10 * TICK)).hasMessage("faulty");
    faulty = false;
    lane.pass(CONFIG.dropAfter().toMillis() + TICK);
    assertThat(channels.get(0).isActive()).isFalse();
    assertThat(links.size()).isZero();
  }

  @Test
  void closing_closes_every_link_and_fails_all_waiters() {
    acquire(node(1), KEY);
    acquire(node(1), new LinkKey(Identity.ANONYMOUS, 4, "ks"));
    acquire(node(2), KEY);
    open();
    lane.pass(TICK);
    LinkOutcome waits = acquire(node(3), KEY);
    links.close();
    assertThat(channels).hasSize(3).noneMatch(EmbeddedChannel::isActive);
    assertThat(waits.failure).isEqualTo(LinkFailure.unreachable("Sluice is stopping"));
    assertThat(links.size()).isZero();
    lane.pass(TICK);
    assertThat(lane.scheduled()).as("looks").isZero();
  }

  @Test
  void a_link_that_opens_after_closing_is_closed() {
    acquire(node(1), KEY);
    links.close();
    open();
    assertThat(channels.get(0).isActive()).isFalse();
  }
}
