package io.sluice.link;

import static io.sluice.link.SilenceWatchTest.QUICK;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.link.Link.AnswerHandler;
import io.sluice.link.Link.LinkWaiter;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import io.sluice.time.TestLane;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.FrameHandlers;
import io.sluice.wire.Framing;
import io.sluice.wire.Identity;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the slot of a link, with an opener that the test controls. */
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
  private final NodePulse pulse =
      new NodePulse(NODE.id(), QUICK, lane, (node, suspect) -> told(suspect));
  private final LinkSlot slot =
      new LinkSlot(new Opener(), lane, NODE, new LinkKey(Identity.ANONYMOUS, 4, null));

  private boolean suspected;

  private void told(boolean suspect) {
    if (suspect != suspected) {
      suspected = suspect;
      log.add(suspect ? "suspect" : "fine");
    }
  }

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
    public NodePulse pulse(NodeId node) {
      return pulse;
    }
  }

  /** Waiters whose outcome no test examines. */
  private record Waiter(boolean throwsAlways) implements LinkWaiter {
    static final Waiter INDIFFERENT = new Waiter(false);
    static final Waiter FAULTY = new Waiter(true);

    @Override
    public void ready(Link link) {
      if (throwsAlways) {
        throw new IllegalStateException("ready");
      }
    }

    @Override
    public void failed(LinkFailure failure) {
      // Not examined.
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

  private void fail(LinkFailure failure) {
    opener().failed(failure);
    lane.runSoon();
  }

  private Link link() {
    EmbeddedChannel channel = new EmbeddedChannel();
    channels.add(channel);
    FrameHandlers.install(channel.pipeline(), Framing.Side.CLIENT, 1 << 20);
    channel.pipeline().remove("frame-reader");
    Link link = new Link(pulse, 4, channel, lane, lane, QUICK, bytes -> {});
    channel.pipeline().addLast(link);
    pulse.heard(lane.nanoTime());
    link.becomesReady();
    return link;
  }

  @AfterEach
  void release_sent_frames() {
    channels.forEach(EmbeddedChannel::finishAndReleaseAll);
  }

  @Test
  void all_waiters_that_arrive_while_connecting_share_the_link() {
    acquire("one");
    acquire("two");
    opener().ready(link());
    acquire("three");
    assertThat(log).containsExactly("one ready", "two ready", "three ready");
    assertThat(opening).isEmpty();
    assertThat(slot.isOpen()).isTrue();
  }

  @Test
  void an_unreachable_node_is_tried_again_with_growing_pauses_without_waiters() {
    acquire("one");
    fail(UNREACHABLE);
    assertThat(log).containsExactly("suspect", "one failed: no route");
    for (long pause : new long[] {100, 200, 400, 800, 1600, 2000, 2000}) {
      lane.pass(pause - 1);
      assertThat(opening).isEmpty();
      lane.pass(1);
      fail(UNREACHABLE);
    }
    lane.pass(2000);
    log.clear();
    opener().ready(link());
    assertThat(log).containsExactly("fine");
  }

  /** A machine that lost its power sends nothing, not even a refusal. */
  @Test
  void a_node_that_does_not_accept_is_suspect_and_waiters_may_fail_over() {
    acquire("one");
    lane.pass(QUICK.suspectAfter().toMillis() - 1);
    assertThat(log).isEmpty();
    lane.pass(1);
    assertThat(log).containsExactly("suspect", "one silent");
    opener().ready(link());
    assertThat(log).containsExactly("suspect", "one silent", "fine", "one ready");
  }

  @Test
  void a_waiter_that_comes_while_a_connection_waits_is_told_of_the_silence_too() {
    acquire("early");
    lane.pass(QUICK.suspectAfter().toMillis());
    acquire("late");
    lane.pass(QUICK.suspectAfter().toMillis());
    assertThat(log).contains("late silent");
  }

  @Test
  void a_node_that_refuses_late_answers_all_the_same() {
    acquire("one");
    lane.pass(QUICK.suspectAfter().toMillis());
    pulse.heard(lane.nanoTime());
    fail(REFUSED);
    assertThat(log).containsExactly("suspect", "one silent", "fine", "one failed: who are you?");
  }

  @Test
  void an_established_connection_is_no_longer_watched() {
    acquire("one");
    opener().ready(link());
    assertThat(lane.scheduled()).isZero();
  }

  @Test
  void a_waiter_that_arrives_in_a_pause_is_told_the_failure_at_once() {
    acquire("one");
    fail(UNREACHABLE);
    log.clear();
    acquire("two");
    assertThat(log).as("before the caller has gone on").isEmpty();
    lane.runSoon();
    assertThat(log).containsExactly("two failed: no route");
  }

  /** A caller that tries one node after another must not do so on one stack. */
  @Test
  void a_failure_is_told_after_the_request_for_the_link_has_returned() {
    acquire("one");
    opener().failed(UNREACHABLE);
    assertThat(log).containsExactly("suspect");
    lane.runSoon();
    assertThat(log).containsExactly("suspect", "one failed: no route");
  }

  /** For example native_transport_max_concurrent_connections_per_ip. */
  @Test
  void a_node_that_answers_on_another_link_is_not_suspect_when_it_takes_no_further_one() {
    Link other = link();
    acquire("one");
    fail(UNREACHABLE);
    assertThat(log).containsExactly("one failed: no route");
    lane.pass(2000);
    assertThat(opening).as("asked again while none waits").isEmpty();
    assertThat(slot.isUnused()).isTrue();
    other.close("over");
  }

  @Test
  void a_node_that_has_another_link_is_suspect_when_that_hears_nothing_either() {
    Link other = link();
    lane.pass(100);
    acquire("one");
    fail(UNREACHABLE);
    for (long millis : new long[] {1, 11, 20}) {
      lane.pass(millis);
      other.checkSilence();
    }
    assertThat(log).containsExactly("one failed: no route", "suspect");
  }

  @Test
  void one_slot_at_a_time_reconnects_to_a_suspect_node() {
    LinkSlot second =
        new LinkSlot(new Opener(), lane, NODE, new LinkKey(Identity.ANONYMOUS, 4, "ks"));
    acquire("one");
    fail(UNREACHABLE);
    second.acquire(NODE, Waiter.INDIFFERENT);
    fail(UNREACHABLE);
    lane.pass(1000);
    assertThat(opening).hasSize(1);
    opener().ready(link());
    assertThat(pulse.isSuspect()).isFalse();
    lane.pass(2000);
    assertThat(opening).as("the other place waits for a request").isEmpty();
    assertThat(second.isUnused()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        ErrorCode.IS_BOOTSTRAPPING,
        ErrorCode.OVERLOADED,
        ErrorCode.SERVER_ERROR,
        ErrorCode.UNAVAILABLE
      })
  void a_temporary_error_is_no_refusal_and_the_node_is_not_suspect(int code) {
    assertThat(new LinkFailure(code, "not now").refused()).isFalse();
    acquire("one");
    fail(new LinkFailure(code, "not now"));
    acquire("two");
    lane.runSoon();
    assertThat(log).containsExactly("one failed: not now", "two failed: not now");
  }

  @Test
  void a_node_that_cannot_read_its_roles_is_no_refusal() {
    int code = ErrorCode.BAD_CREDENTIALS;
    assertThat(new LinkFailure(code, "Unable to perform authentication: no quorum").refused())
        .isFalse();
    assertThat(new LinkFailure(code, "Provided username a and/or password are incorrect").refused())
        .isTrue();
  }

  @Test
  void a_waiter_that_throws_does_not_affect_others() {
    slot.acquire(NODE, Waiter.FAULTY);
    acquire("two");
    opener().ready(link());
    assertThat(log).containsExactly("two ready");
  }

  @Test
  void a_slot_stops_reconnecting_to_a_node_that_is_gone_for_good() {
    acquire("one");
    for (int i = 0; i < 61; i++) {
      fail(UNREACHABLE);
      lane.pass(2000);
    }
    assertThat(opening).isEmpty();
    assertThat(slot.isUnused()).isTrue();
    assertThat(lane.scheduled()).isZero();
  }

  @Test
  void a_refusal_says_nothing_about_the_node_and_is_not_remembered() {
    acquire("one");
    fail(REFUSED);
    assertThat(log).containsExactly("one failed: who are you?");
    assertThat(slot.isUnused()).isTrue();
    acquire("two");
    opener().ready(link());
    assertThat(log).last().isEqualTo("two ready");
  }

  @Test
  void a_lost_link_is_replaced_for_the_next_waiter() {
    acquire("one");
    Link first = link();
    opener().ready(first);
    first.close("gone");
    acquire("two");
    opener().ready(link());
    assertThat(log).last().isEqualTo("two ready");
  }

  /** Otherwise the node would stay suspect, as it gets no requests to respond to. */
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
  void a_link_that_ends_otherwise_leaves_its_slot_empty() {
    acquire("one");
    Link link = link();
    opener().ready(link);
    link.close("idle");
    slot.tick();
    assertThat(opening).isEmpty();
    assertThat(slot.isUnused()).isTrue();
  }

  @Test
  void a_closed_slot_fails_all_waiters_and_keeps_no_link() {
    acquire("one");
    LinkWaiter late = opener();
    slot.close("Sluice is stopping");
    assertThat(log).containsExactly("one failed: Sluice is stopping");
    Link link = link();
    late.ready(link);
    assertThat(link.isOpen()).isFalse();
    assertThat(lane.scheduled()).isZero();
  }
}
