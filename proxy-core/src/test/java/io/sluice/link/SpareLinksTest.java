package io.sluice.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.link.Link.LinkWaiter;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import io.sluice.time.TestLane;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.CqlRequest;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.Identity;
import io.sluice.wire.TestFrames;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of links that are logged in and were refused their keyspace, with an opener that the test
 * controls.
 */
class SpareLinksTest {

  private static final LinkFailure NO_KEYSPACE = new LinkFailure(ErrorCode.INVALID, "no such");
  private static final LinkFailure BUSY = new LinkFailure(ErrorCode.OVERLOADED, "busy");

  private final TestLane lane = new TestLane();
  private final List<Opening> openings = new ArrayList<>();
  private final List<Peer> links = new ArrayList<>();
  private final SpareLinks spares =
      new SpareLinks(
          new LinkOpener() {
            @Override
            public void openReady(Lane on, Node node, LinkKey key, LinkWaiter waiter) {
              openings.add(new Opening(key, waiter));
            }

            @Override
            public LinkConfig config() {
              return SilenceWatchTest.QUICK;
            }

            @Override
            public NodePulse pulse(NodeId node) {
              return SpareLinksTest.this.pulse;
            }
          });
  private final NodePulse pulse =
      new NodePulse(id(1), SilenceWatchTest.QUICK, lane, (node, suspect) -> {});

  /** A connection that is being opened and logged in. */
  private record Opening(LinkKey key, LinkWaiter waiter) {}

  /** A link, and the node's end of it. */
  private record Peer(Link link, EmbeddedChannel channel) {

    /** Returns the statement of the next request, or its opcode; null without a request. */
    @Nullable String asked() {
      Frame request = channel.readOutbound();
      if (request == null) {
        return null;
      }
      String asked =
          CqlRequest.of(request) instanceof CqlRequest.Query query
              ? query.cql()
              : "opcode " + request.opcode();
      request.release();
      return asked;
    }

    void answer(Frame answer) {
      channel.pipeline().fireChannelRead(answer.onStream(0));
    }
  }

  private static NodeId id(int number) {
    return new NodeId(new UUID(0, number));
  }

  private static LinkKey in(@Nullable String keyspace) {
    return new LinkKey(Identity.ANONYMOUS, 4, keyspace);
  }

  private LinkOutcome open(int node, LinkKey key) {
    LinkOutcome outcome = new LinkOutcome();
    InetSocketAddress address = InetSocketAddress.createUnresolved("n" + node, 1);
    spares.openReady(lane, new Node(id(node), address, "dc", "r", true), key, outcome);
    return outcome;
  }

  private LinkOutcome open(String keyspace) {
    return open(1, in(keyspace));
  }

  /** Returns a link that is logged in. */
  private Peer loggedIn() {
    EmbeddedChannel channel = new EmbeddedChannel();
    Link link = new Link(pulse, 4, channel, lane, lane, SilenceWatchTest.QUICK, bytes -> {});
    channel.pipeline().addLast(link);
    links.add(new Peer(link, channel));
    return links.get(links.size() - 1);
  }

  /** Logs the first opening in and refuses its keyspace. */
  private Peer refuse() {
    Peer node = loggedIn();
    openings.remove(0).waiter().keyspaceRefused(node.link(), NO_KEYSPACE);
    lane.runSoon();
    return node;
  }

  /** Returns a spare link of node 1. */
  private Peer spare() {
    open("missing");
    return refuse();
  }

  private void refuseUse(Peer node) {
    node.answer(CqlCodec.error(4, ErrorCode.INVALID, "no such"));
    lane.runSoon();
  }

  @AfterEach
  void release() {
    links.forEach(node -> node.channel().close());
    lane.runSoon();
    for (Peer node : links) {
      while (node.asked() != null) {
        // The request is released.
      }
    }
  }

  @Test
  void a_link_that_was_refused_its_keyspace_tries_the_next_one() {
    LinkOutcome first = open("missing");
    Peer node = refuse();
    assertThat(first.failure).isEqualTo(NO_KEYSPACE);
    LinkOutcome next = open("there");
    lane.runSoon();
    assertThat(openings).as("no login").isEmpty();
    assertThat(node.asked()).isEqualTo("USE \"there\"");
    node.answer(TestFrames.used(4, "there"));
    assertThat(next.link).isSameAs(node.link());
    open("another");
    assertThat(openings).as("the spare link is taken").hasSize(1);
  }

  @Test
  void a_link_that_is_refused_again_is_kept_again() {
    Peer node = spare();
    LinkOutcome second = open("missing too");
    lane.runSoon();
    assertThat(node.asked()).isEqualTo("USE \"missing too\"");
    refuseUse(node);
    assertThat(second.failure).isEqualTo(NO_KEYSPACE);
    assertThat(node.channel().isActive()).isTrue();
    open("there");
    lane.runSoon();
    assertThat(node.asked()).isEqualTo("USE \"there\"");
  }

  @Test
  void one_spare_link_is_kept() {
    open("a");
    open("b");
    Peer kept = refuse();
    Peer other = refuse();
    assertThat(kept.channel().isActive()).isTrue();
    assertThat(other.channel().isActive()).isFalse();
  }

  @Test
  void a_spare_link_serves_its_node_identity_and_version_only() {
    Peer node = spare();
    open(2, in("ks"));
    open(1, new LinkKey(Identity.plain("alice", "secret"), 4, "ks"));
    open(1, new LinkKey(Identity.ANONYMOUS, 3, "ks"));
    open(1, in(null));
    lane.runSoon();
    assertThat(openings).hasSize(4);
    assertThat(node.asked()).isNull();
  }

  @Test
  void links_without_a_keyspace_do_not_wait_for_those_with_one() {
    for (int i = 0; i < 10; i++) {
      open(1, in(null));
    }
    assertThat(openings).hasSize(10);
    open("ks");
    assertThat(openings).hasSize(11);
  }

  @Test
  void a_spare_link_that_was_closed_is_not_used() {
    spare().channel().close();
    LinkOutcome next = open("ks");
    assertThat(openings).hasSize(1);
    Peer node = loggedIn();
    openings.get(0).waiter().ready(node.link());
    assertThat(next.link).isSameAs(node.link());
  }

  /** The loss of an idle link says nothing about its node. */
  @Test
  void a_spare_link_that_is_lost_in_its_use_is_replaced_by_a_new_one() {
    Peer node = spare();
    LinkOutcome next = open("ks");
    lane.runSoon();
    node.channel().close();
    assertThat(next.failure).isNull();
    assertThat(openings).extracting(Opening::key).containsExactly(in("ks"));
  }

  @Test
  void the_opening_that_has_waited_longest_takes_the_refused_link_at_once() {
    for (int i = 0; i < 6; i++) {
      open("ks" + i);
    }
    assertThat(openings).hasSize(4);
    Peer node = refuse();
    assertThat(node.asked()).isEqualTo("USE \"ks4\"");
    assertThat(openings).hasSize(3);
    refuseUse(node);
    assertThat(node.asked()).isEqualTo("USE \"ks5\"");
  }

  /** Otherwise a node that refuses at once would nest one call for each keyspace. */
  @Test
  void the_next_opening_begins_in_its_own_turn() {
    for (int i = 0; i < 5; i++) {
      open("ks" + i);
    }
    openings.remove(0).waiter().ready(loggedIn().link());
    assertThat(openings).hasSize(3);
    lane.runSoon();
    assertThat(openings).hasSize(4);
  }

  @Test
  void a_node_that_cannot_decide_now_fails_the_openings_that_wait() {
    List<LinkOutcome> outcomes = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      outcomes.add(open("ks" + i));
    }
    openings.remove(0).waiter().failed(BUSY);
    lane.runSoon();
    assertThat(outcomes)
        .extracting(outcome -> outcome.failure)
        .containsExactly(BUSY, null, null, null, BUSY, BUSY);
    assertThat(openings).as("they are not opened any more").hasSize(3);
    open("ks6");
    assertThat(openings).as("the turn is free").hasSize(4);
  }

  @Test
  void a_refusal_for_one_keyspace_fails_no_other_opening() {
    List<LinkOutcome> outcomes = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      outcomes.add(open("ks" + i));
    }
    LinkFailure forbidden = new LinkFailure(ErrorCode.UNAUTHORIZED, "not for you");
    openings.remove(0).waiter().failed(forbidden);
    lane.runSoon();
    assertThat(outcomes.get(0).failure).isEqualTo(forbidden);
    assertThat(outcomes.get(4).failure).isNull();
    assertThat(openings).hasSize(4);
  }

  @Test
  void a_spare_link_is_closed_when_it_was_idle_for_long() {
    Peer node = spare();
    lane.pass(SilenceWatchTest.QUICK.idleAfter().toMillis());
    spares.tick();
    assertThat(node.channel().isActive()).isTrue();
    lane.pass(1);
    spares.tick();
    assertThat(node.channel().isActive()).isFalse();
  }

  @Test
  void a_new_spare_link_takes_the_place_of_one_that_was_closed() {
    open("a");
    open("b");
    refuse().channel().close();
    spares.tick();
    Peer node = refuse();
    assertThat(node.channel().isActive()).isTrue();
  }

  @Test
  void at_the_end_spare_links_are_closed_and_none_is_kept() {
    open("a");
    open("b");
    Peer node = refuse();
    spares.close();
    assertThat(node.channel().isActive()).isFalse();
    Peer late = refuse();
    assertThat(late.channel().isActive()).isFalse();
  }

  @Test
  void the_end_comes_before_the_turn_of_the_next_opening() {
    for (int i = 0; i < 6; i++) {
      open("ks" + i);
    }
    Peer node = loggedIn();
    openings.remove(0).waiter().keyspaceRefused(node.link(), NO_KEYSPACE);
    openings.remove(0).waiter().ready(loggedIn().link());
    spares.close();
    lane.runSoon();
    assertThat(openings).hasSize(2);
    assertThat(node.asked()).isNull();
    assertThat(node.channel().isActive()).isFalse();
  }

  @Test
  void settings_and_pulses_are_those_of_its_opener() {
    assertThat(spares.config()).isSameAs(SilenceWatchTest.QUICK);
    assertThat(spares.pulse(id(1))).isSameAs(pulse);
  }
}
