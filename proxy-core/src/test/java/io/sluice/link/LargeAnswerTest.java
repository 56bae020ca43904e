package io.sluice.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.link.Link.AnswerHandler;
import io.sluice.memory.ArrivingAnswer;
import io.sluice.memory.MemoryBudget;
import io.sluice.ring.NodeId;
import io.sluice.time.TestLane;
import io.sluice.wire.Answers;
import io.sluice.wire.CountedBuffers;
import io.sluice.wire.CqlCodec;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Frame;
import io.sluice.wire.FrameHandlers;
import io.sluice.wire.Framing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of answers on a link that are too large for the memory of the proxy. */
class LargeAnswerTest {

  private static final int LIMIT = 8 << 20;

  private final TestLane lane = new TestLane();
  private final MemoryBudget budget = new MemoryBudget(LIMIT);
  private final CountedBuffers buffers = new CountedBuffers();
  private final List<String> log = new ArrayList<>();
  private final Node one = new Node();
  private final Node two = new Node();

  /** A node with one link. */
  private final class Node {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Link link =
        new Link(
            new NodePulse(
                new NodeId(new UUID(0, 1)), LinkConfig.defaults(), lane, (node, suspect) -> {}),
            4,
            channel,
            lane,
            lane,
            LinkConfig.defaults(),
            budget.count());

    Node() {
      channel.config().setAllocator(buffers);
      Framing framing = FrameHandlers.install(channel.pipeline(), Framing.Side.CLIENT, 512 << 20);
      channel.pipeline().addLast(new UnfinishedAnswers(framing, new ArrivingAnswer(budget)), link);
    }

    int ask(String name) {
      return link.send(CqlCodec.query(4, "SELECT " + name), new Waiter(name));
    }

    /** Sends the header of a RESULT. */
    Node begins(int stream, int body) {
      ByteBuffer header = ByteBuffer.allocate(9);
      header.putShort((short) 0x8400).putShort((short) stream).put((byte) 8).putInt(body);
      channel.writeInbound(Unpooled.wrappedBuffer(header.array()));
      return this;
    }

    Node goesOn(int bytes) {
      channel.writeInbound(Unpooled.wrappedBuffer(new byte[bytes]));
      return this;
    }
  }

  private final class Waiter implements AnswerHandler {
    private final String name;

    Waiter(String name) {
      this.name = name;
    }

    @Override
    public void answered(Frame answer) {
      int error = Answers.errorCode(answer);
      log.add(name + " " + (error < 0 ? answer.length() : ErrorCode.name(error)));
      if (error >= 0) {
        log.add(Answers.errorMessage(answer));
      }
      answer.release();
    }

    @Override
    public void lost(String reason) {
      log.add(name + " lost: " + reason);
    }
  }

  @AfterEach
  void no_buffer_and_no_byte_is_held_after_the_links() {
    for (Node each : List.of(one, two)) {
      each.channel.finishAndReleaseAll();
    }
    assertThat(buffers.held()).isZero();
    assertThat(budget.used()).isZero();
  }

  @Test
  void a_read_whose_answer_can_never_fit_is_invalid_and_the_next_answer_on_the_link_is_read() {
    int large = one.ask("large");
    int next = one.ask("next");
    one.begins(large, 400 << 20);
    assertThat(log)
        .containsExactly(
            "large INVALID",
            "The answer needs 419430409 bytes of memory, and one answer may have at most 4194304"
                + " (half of cql.maxMemoryPercent); read it in pages, with a smaller page size");
    assertThat(budget.used()).isZero();
    log.clear();
    for (int i = 0; i < 400; i++) {
      one.goesOn(1 << 20);
      assertThat(budget.used()).isZero();
    }
    one.begins(next, 1_000).goesOn(1_000);
    assertThat(log).containsExactly("next 1009");
  }

  @Test
  void a_read_whose_answer_does_not_fit_now_is_overloaded_on_any_link() {
    int first = one.ask("first");
    int second = two.ask("second");
    one.begins(first, 3 << 20).goesOn(1);
    two.begins(second, 7 << 19);
    assertThat(log)
        .containsExactly(
            "second OVERLOADED",
            "Memory is short: the answer needs 3670025 bytes, which are not free now"
                + " (cql.maxMemoryPercent); a smaller page size needs less");
    log.clear();
    two.goesOn(7 << 19);
    one.goesOn((3 << 20) - 1);
    assertThat(log).containsExactly("first 3145737");
    int third = two.ask("third");
    two.begins(third, 7 << 19).goesOn(7 << 19);
    assertThat(log).last().isEqualTo("third 3670025");
  }

  /** Otherwise its memory would count twice, and its client would be the one that is too large. */
  @Test
  void a_complete_answer_is_not_counted_while_it_is_handed_over() {
    List<Long> used = new ArrayList<>();
    int stream =
        one.link.send(
            CqlCodec.query(4, "SELECT"),
            new AnswerHandler() {
              @Override
              public void answered(Frame answer) {
                used.add(budget.used());
                answer.release();
              }

              @Override
              public void lost(String reason) {
                log.add(reason);
              }
            });
    one.begins(stream, 1 << 20).goesOn(1);
    assertThat(budget.used()).isEqualTo((1 << 20) + 9);
    one.goesOn((1 << 20) - 1);
    assertThat(used).containsExactly(0L);
  }

  @Test
  void an_abandoned_request_needs_no_answer() {
    Waiter waiter = new Waiter("abandoned");
    int stream = one.link.send(CqlCodec.query(4, "SELECT"), waiter);
    one.link.abandon(stream, waiter, 7);
    one.begins(stream, 400 << 20);
    assertThat(log).isEmpty();
    assertThat(one.link.isOpen()).isTrue();
  }

  @Test
  void a_large_event_or_answer_to_no_request_closes_the_link() {
    one.ask("one");
    one.begins(-1, 400 << 20);
    two.ask("two");
    two.begins(700, 400 << 20);
    assertThat(log)
        .hasSize(2)
        .allMatch(each -> each.contains(" lost: the node sent a large answer to no request"));
  }

  @Test
  void a_link_that_closes_returns_the_memory_of_the_answer_that_was_arriving() {
    one.begins(one.ask("one"), 3 << 20).goesOn(1);
    assertThat(budget.used()).isGreaterThan(3 << 20);
    one.link.close("over");
    assertThat(log).containsExactly("one lost: over");
    assertThat(budget.used()).isZero();
  }
}
