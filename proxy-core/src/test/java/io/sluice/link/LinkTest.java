package io.sluice.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.link.Link.AnswerHandler;
import io.sluice.memory.MemoryBudget;
import io.sluice.ring.NodeId;
import io.sluice.time.TestLane;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.Frame;
import io.sluice.wire.FrameHandlers;
import io.sluice.wire.Framing;
import io.sluice.wire.TestFrames;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of one link over an embedded connection, with a clock that the test moves. */
class LinkTest {

  private static final NodeId NODE = new NodeId(new UUID(0, 1));

  private final TestLane lane = new TestLane();
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final List<String> log = new ArrayList<>();
  private final List<Frame> frames = new ArrayList<>();
  private final NodePulse pulse =
      new NodePulse(
          NODE,
          SilenceWatchTest.QUICK,
          lane,
          (node, suspect) -> log.add(suspect ? "suspect" : "heard again"));
  private final MemoryBudget memory = new MemoryBudget(100 << 20);
  private final Link link =
      new Link(pulse, 4, channel, lane, lane, SilenceWatchTest.QUICK, memory.count());

  LinkTest() {
    FrameHandlers.install(channel.pipeline(), Framing.Side.CLIENT, 1 << 20);
    channel.pipeline().remove("frame-reader");
    channel.pipeline().addLast(link);
    link.becomesReady();
    assertThat(log).as("the cluster may report the node down").containsExactly("heard again");
    log.clear();
    lane.pass(100);
  }

  /** A handler that throws; the test says whether it releases the response first. */
  private final class Faulty implements AnswerHandler {
    private final boolean releases;

    Faulty(boolean releases) {
      this.releases = releases;
    }

    @Override
    public void answered(Frame answer) {
      log.add("faulty answered");
      if (releases) {
        answer.release();
      }
      throw new StackOverflowError();
    }

    @Override
    public void lost(String reason) {
      log.add("faulty lost");
      throw new IllegalStateException("lost");
    }

    @Override
    public void silent() {
      log.add("faulty hears nothing");
      throw new IllegalStateException("silent");
    }
  }

  private final class Waiter implements AnswerHandler {
    private final String name;

    Waiter(String name) {
      this.name = name;
    }

    @Override
    public void answered(Frame answer) {
      log.add(name + " answered");
      answer.release();
    }

    @Override
    public void lost(String reason) {
      log.add(name + " lost: " + reason);
    }

    @Override
    public void silent() {
      log.add(name + " hears nothing");
    }
  }

  private Frame frame(Frame frame) {
    frames.add(frame);
    return frame;
  }

  private int send(AnswerHandler waiter) {
    int stream = link.send(frame(CqlCodec.query(4, "SELECT 1")), waiter);
    lane.runSoon();
    return stream;
  }

  private void answer(int stream) {
    channel.writeInbound(frame(CqlCodec.ready(4)).onStream(stream));
  }

  private List<Integer> sent() {
    List<Integer> streams = new ArrayList<>();
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      streams.add((int) out.getShort(2));
      out.release();
    }
    return streams;
  }

  private void pass(long millis) {
    lane.pass(millis);
    link.checkSilence();
    lane.runSoon();
  }

  @AfterEach
  void every_frame_is_released() {
    sent();
    channel.close();
    assertThat(frames.stream().filter(frame -> !TestFrames.isReleased(frame)).count()).isZero();
  }

  @Test
  void responses_arrive_in_any_order_at_their_waiters() {
    int one = send(new Waiter("one"));
    int two = send(new Waiter("two"));
    assertThat(sent()).containsExactly(one, two);
    answer(two);
    answer(one);
    assertThat(log).containsExactly("two answered", "one answered");
  }

  @Test
  void requests_of_one_turn_leave_in_one_flush_and_the_last_does_not_wait() {
    AtomicInteger flushes = new AtomicInteger();
    channel
        .pipeline()
        .addFirst(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void flush(ChannelHandlerContext ctx) {
                flushes.incrementAndGet();
                ctx.flush();
              }
            });
    for (String name : List.of("one", "two", "three")) {
      link.send(frame(CqlCodec.query(4, "SELECT 1")), new Waiter(name));
    }
    assertThat(flushes).as("before the turn ends").hasValue(0);
    lane.runSoon();
    assertThat(flushes).hasValue(1);
    assertThat(sent()).hasSize(3);
    send(new Waiter("four"));
    assertThat(flushes).hasValue(2);
    assertThat(sent()).hasSize(1);
  }

  @Test
  void an_abandoned_request_keeps_its_stream_until_its_late_response_which_is_dropped() {
    Waiter one = new Waiter("one");
    int stream = send(one);
    link.abandon(stream, one, 7);
    assertThat(send(new Waiter("two"))).isNotEqualTo(stream);
    answer(stream);
    assertThat(log).isEmpty();
    assertThat(send(new Waiter("three"))).isEqualTo(stream);
  }

  /** A node that does not read. */
  private static final class Deaf extends ChannelOutboundHandlerAdapter {
    private boolean hears;

    @Override
    public void flush(ChannelHandlerContext ctx) {
      if (hears) {
        ctx.flush();
      }
    }
  }

  private Frame large(Waiter waiter) {
    Frame large = frame(CqlCodec.query(4, "x".repeat(1 << 20)));
    int bytes = large.length();
    int stream = link.send(large, waiter);
    lane.runSoon();
    link.abandon(stream, waiter, bytes);
    return large;
  }

  @Test
  void abandoned_requests_count_until_they_are_sent() {
    Deaf node = new Deaf();
    channel.pipeline().addFirst(node);
    large(new Waiter("one"));
    large(new Waiter("two"));
    assertThat(memory.used()).isBetween(2L << 20, (2L << 20) + 100);
    node.hears = true;
    channel.flush();
    pass(1);
    assertThat(memory.used()).isZero();
  }

  @Test
  void abandoned_requests_count_until_the_link_is_closed() {
    channel.pipeline().addFirst(new Deaf());
    Frame large = large(new Waiter("one"));
    assertThat(memory.used()).isGreaterThan(1 << 20);
    link.close("closed");
    assertThat(memory.used()).isZero();
    assertThat(TestFrames.isReleased(large)).isTrue();
  }

  @Test
  void a_request_that_was_sent_does_not_count_when_it_is_abandoned() {
    large(new Waiter("one"));
    assertThat(memory.used()).isZero();
  }

  @Test
  void unsent_requests_that_are_not_abandoned_count_for_their_clients_only() {
    channel.pipeline().addFirst(new Deaf());
    link.send(frame(CqlCodec.query(4, "x".repeat(1 << 20))), new Waiter("one"));
    lane.runSoon();
    pass(1);
    assertThat(memory.used()).isZero();
  }

  @Test
  void events_and_unexpected_responses_are_dropped() {
    answer(-1);
    answer(500);
    assertThat(log).isEmpty();
  }

  @Test
  void a_lost_link_tells_each_waiter_once() {
    send(new Waiter("one"));
    Waiter two = new Waiter("two");
    link.abandon(send(two), two, 7);
    answer(send(new Waiter("three")));
    send(new Waiter("four"));
    log.clear();
    channel.close();
    assertThat(log)
        .containsExactly(
            "one lost: the node closed the connection",
            "four lost: the node closed the connection");
  }

  @ParameterizedTest
  @MethodSource("breaks")
  void a_link_that_breaks_says_why(Throwable cause, String reason) {
    send(new Waiter("one"));
    log.clear();
    channel.pipeline().fireExceptionCaught(cause);
    assertThat(log).containsExactly("one lost: " + reason);
  }

  private static Stream<Arguments> breaks() {
    return Stream.of(
        Arguments.of(new ClosedChannelException(), "the node closed the connection"),
        Arguments.of(new IOException("Broken pipe"), "Broken pipe"),
        Arguments.of(new IllegalStateException(), "java.lang.IllegalStateException"));
  }

  @Test
  void a_closed_link_takes_no_requests() {
    link.close("over");
    assertThat(link.isOpen()).isFalse();
    assertThat(send(new Waiter("late"))).isEqualTo(-1);
    assertThat(log).isEmpty();
  }

  @Test
  void a_handler_that_sends_again_when_told_of_the_loss_is_refused() {
    link.send(
        frame(CqlCodec.options(4)),
        new AnswerHandler() {
          @Override
          public void answered(Frame answer) {
            answer.release();
          }

          @Override
          public void lost(String reason) {
            log.add("again: " + send(new Waiter("again")));
          }
        });
    link.close("over");
    assertThat(log).containsExactly("again: -1");
  }

  @Test
  void a_silent_node_is_probed_suspected_and_dropped() {
    send(new Waiter("one"));
    assertThat(sent()).hasSize(1);
    pass(11);
    assertThat(sent()).as("probe").hasSize(1);
    pass(20);
    assertThat(log).containsExactly("suspect", "one hears nothing");
    pass(100);
    assertThat(log)
        .containsExactly(
            "suspect", "one hears nothing", "one lost: the node did not answer for too long");
    assertThat(link.isOpen()).isFalse();
  }

  @Test
  void a_request_that_is_sent_on_a_suspect_link_is_told_of_its_silence() {
    Waiter early = new Waiter("early");
    int stream = send(early);
    pass(11);
    pass(20);
    link.abandon(stream, early, 7);
    log.clear();
    send(new Waiter("late"));
    pass(1);
    assertThat(log).contains("late hears nothing");
  }

  @Test
  void a_busy_node_that_answers_the_probe_is_not_suspected() {
    int stream = send(new Waiter("one"));
    for (int i = 0; i < 5; i++) {
      pass(11);
      answer(1);
    }
    assertThat(log).isEmpty();
    answer(stream);
    assertThat(log).containsExactly("one answered");
  }

  @Test
  void a_suspect_node_recovers_with_the_first_bytes_heard() {
    int stream = send(new Waiter("one"));
    pass(11);
    pass(20);
    log.clear();
    answer(stream);
    assertThat(log).containsExactly("heard again", "one answered");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void an_exception_of_a_handler_ends_no_other_request(boolean releases) {
    int faulty = send(new Faulty(releases));
    int other = send(new Waiter("other"));
    answer(faulty);
    assertThat(link.isOpen()).isTrue();
    answer(other);
    channel.close();
    assertThat(log).containsExactly("faulty answered", "other answered");
  }

  @Test
  void a_handler_that_throws_when_told_of_silence_or_loss_does_not_affect_others() {
    send(new Faulty(false));
    send(new Waiter("other"));
    pass(11);
    pass(20);
    pass(100);
    assertThat(log)
        .containsExactly(
            "suspect",
            "faulty hears nothing",
            "other hears nothing",
            "faulty lost",
            "other lost: the node did not answer for too long");
  }

  /** The response is longer than the bytes that have arrived. */
  @Test
  void a_node_whose_long_answer_is_arriving_is_not_suspect() {
    send(new Waiter("one"));
    for (int i = 0; i < 20; i++) {
      pass(9);
      channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {1}));
    }
    assertThat(log).isEmpty();
    assertThat(link.isOpen()).isTrue();
    channel.releaseInbound();
  }

  @Test
  void a_node_that_is_heard_on_another_link_is_not_suspect() {
    send(new Waiter("one"));
    pass(11);
    pulse.heard(lane.nanoTime());
    pass(20);
    assertThat(log).as("its request may go elsewhere").containsExactly("one hears nothing");
    assertThat(pulse.isSuspect()).isFalse();
  }

  @Test
  void an_idle_link_probes_its_node_once_when_another_link_doubts_it() {
    pulse.doubted();
    pass(1);
    assertThat(sent()).as("probe").hasSize(1);
    answer(0);
    pass(1);
    assertThat(sent()).isEmpty();
    assertThat(log).isEmpty();
  }

  @Test
  void an_idle_link_closes() {
    pass(1001);
    assertThat(link.isOpen()).isFalse();
  }
}
