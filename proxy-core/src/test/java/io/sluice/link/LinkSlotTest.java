package io.sluice.link;

import static io.sluice.link.SilenceWatchTest.QUICK;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import io.sluice.time.TestLane;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.Framing;
import io.sluice.wire.Identity;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The place of a link, with an opener that does what the test says. */
class LinkSlotTest {

  private static final Node NODE =
      new Node(
          new NodeId(new UUID(0, 1)), InetSocketAddress.createUnresolved("n", 1), "dc", "r", true);
  private static final LinkFailure UNREACHABLE = LinkFailure.unreachable("no route");
  private static final LinkFailure REFUSED = new LinkFailure(0x100, "who are you?");

  private final TestLane lane = new TestLane();
  private final List<String> log = new ArrayList<>();
  private final List<EmbeddedChannel> channels = new ArrayList<>();
  private final List<LinkWaiter> opening = new ArrayList<>();
  private final LinkSlot slot =
      new LinkSlot(new Opener(), lane, NODE, new LinkKey(Identity.ANONYMOUS, 4, null));

  private final class Opener implements LinkOpener {
    @Override
    public void openReady(Lane on, Node node, LinkKey key, LinkWaiter waiter) {
      opening.add(waiter);
    }

    @Override
    public LinkConfig config() {
      return QUICK;
    }

    @Override
    public SuspectListener suspects() {
      return (node, suspect) -> log.add(suspect ? "suspect" : "fine");
    }
  }

  private void acquire(String name) {
    slot.acquire(
        NODE,
        new LinkWaiter() {
          @Override
          public void ready(Link link) {
            log.add(name + " ready");
          }

          @Override
          public void failed(LinkFailure failure) {
            log.add(name + " failed: " + failure.message());
          }

          @Override
          public void silent() {
            log.add(name + " silent");
          }
        });
  }

  private LinkWaiter opener() {
    assertThat(opening).as("connections being opened").hasSize(1);
    return opening.remove(0);
  }

  private Link link() {
    EmbeddedChannel channel = new EmbeddedChannel();
    channels.add(channel);
    Framing.install(channel.pipeline(), Framing.Side.CLIENT, 1 << 20);
    channel.pipeline().remove("frame-reader");
    Link link = new Link(NODE.id(), 4, channel, lane, lane, QUICK, (node, suspect) -> {});
    channel.pipeline().addLast(link);
    return link;
  }

  @AfterEach
  void release_what_was_sent() {
    channels.forEach(EmbeddedChannel::finishAndReleaseAll);
  }

  @Test
  void all_who_come_while_it_is_being_filled_share_the_link() {
    acquire("one");
    acquire("two");
    opener().ready(link());
    acquire("three");
    assertThat(log).containsExactly("fine", "one ready", "two ready", "three ready");
    assertThat(opening).isEmpty();
    assertThat(slot.isOpen()).isTrue();
  }

  @Test
  void a_node_out_of_reach_is_tried_again_with_growing_pauses_while_nobody_waits() {
    acquire("one");
    opener().failed(UNREACHABLE);
    assertThat(log).containsExactly("suspect", "one failed: no route");
    for (long pause : new long[] {200, 400, 800, 1600, 2000, 2000}) {
      lane.pass(pause - 1);
      assertThat(opening).isEmpty();
      lane.pass(1);
      opener().failed(UNREACHABLE);
    }
    lane.pass(2000);
    log.clear();
    opener().ready(link());
    assertThat(log).containsExactly("fine");
  }

  /** A machine that lost its power sends nothing, not even a refusal. */
  @Test
  void a_node_that_lets_a_connection_wait_is_suspect_and_who_waits_may_go_elsewhere() {
    acquire("one");
    lane.pass(QUICK.suspectAfter().toMillis() - 1);
    assertThat(log).isEmpty();
    lane.pass(1);
    assertThat(log).containsExactly("suspect", "one silent");
    opener().ready(link());
    assertThat(log).containsExactly("suspect", "one silent", "fine", "one ready");
  }

  @Test
  void a_node_that_refuses_late_answers_all_the_same() {
    acquire("one");
    lane.pass(QUICK.suspectAfter().toMillis());
    opener().failed(REFUSED);
    assertThat(log).containsExactly("suspect", "one silent", "fine", "one failed: who are you?");
  }

  @Test
  void a_connection_that_came_about_is_not_waited_for_any_more() {
    acquire("one");
    opener().ready(link());
    assertThat(lane.scheduled()).isZero();
  }

  @Test
  void who_comes_in_a_pause_is_told_at_once_what_went_wrong() {
    acquire("one");
    opener().failed(UNREACHABLE);
    log.clear();
    acquire("two");
    assertThat(log).containsExactly("two failed: no route");
  }

  @Test
  void a_node_gone_for_good_is_given_up() {
    acquire("one");
    for (int i = 0; i < 61; i++) {
      opener().failed(UNREACHABLE);
      lane.pass(2000);
    }
    assertThat(opening).isEmpty();
    assertThat(slot.isUnused()).isTrue();
    assertThat(lane.scheduled()).isZero();
  }

  @Test
  void a_refusal_says_nothing_about_the_node_and_is_asked_for_anew() {
    acquire("one");
    opener().failed(REFUSED);
    assertThat(log).containsExactly("one failed: who are you?");
    assertThat(slot.isUnused()).isTrue();
    acquire("two");
    opener().ready(link());
    assertThat(log).last().isEqualTo("two ready");
  }

  @Test
  void a_lost_link_is_replaced_for_the_next_who_comes() {
    acquire("one");
    Link first = link();
    opener().ready(first);
    first.close("gone");
    acquire("two");
    opener().ready(link());
    assertThat(log).last().isEqualTo("two ready");
  }

  /** Else the node would stay suspect: nobody sends to it, so nobody hears it again. */
  @Test
  void a_link_dropped_for_its_silence_is_opened_again_by_itself() {
    acquire("one");
    Link silent = link();
    opener().ready(silent);
    silent.send(
        CqlCodec.options(4),
        new AnswerHandler() {
          @Override
          public void answered(Frame answer) {
            answer.release();
          }

          @Override
          public void lost(String reason) {
            log.add("lost: " + reason);
          }
        });
    for (long millis : new long[] {11, 20, 70}) {
      lane.pass(millis);
      slot.tick();
    }
    assertThat(log).last().isEqualTo("lost: the node did not answer for too long");
    assertThat(silent.isOpen()).isFalse();
    opener().ready(link());
    assertThat(log).last().isEqualTo("fine");
  }

  @Test
  void a_link_that_ends_otherwise_leaves_its_place_empty() {
    acquire("one");
    Link link = link();
    opener().ready(link);
    link.close("idle");
    slot.tick();
    assertThat(opening).isEmpty();
    assertThat(slot.isUnused()).isTrue();
  }

  @Test
  void a_closed_place_fails_who_waits_and_keeps_nothing() {
    acquire("one");
    LinkWaiter late = opener();
    slot.close();
    assertThat(log).containsExactly("one failed: Sluice is stopping");
    Link link = link();
    late.ready(link);
    assertThat(link.isOpen()).isFalse();
    assertThat(lane.scheduled()).isZero();
  }
}
