package io.sluice.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.memory.ArrivingAnswer;
import io.sluice.memory.MemoryBudget;
import io.sluice.wire.Frame;
import io.sluice.wire.FrameHandlers;
import io.sluice.wire.Framing;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the memory of responses that arrive from a node in parts. */
class UnfinishedAnswersTest {

  private static final int BODY = 100_000;

  private final MemoryBudget budget = new MemoryBudget(1 << 20);
  private final EmbeddedChannel channel = new EmbeddedChannel();

  UnfinishedAnswersTest() {
    Framing framing = FrameHandlers.install(channel.pipeline(), Framing.Side.CLIENT, 1 << 20);
    channel.pipeline().addLast(new UnfinishedAnswers(framing, new ArrivingAnswer(budget)));
  }

  @AfterEach
  void no_buffer_is_held_after_the_connection() {
    channel.close();
    assertThat(budget.used()).isZero();
  }

  private void arrive(int... bytes) {
    byte[] arrived = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      arrived[i] = (byte) bytes[i];
    }
    channel.writeInbound(Unpooled.wrappedBuffer(arrived));
  }

  /** The header of a RESULT whose body has not arrived. */
  private void header() {
    arrive(0x84, 0, 0, 1, 8, 0, BODY >> 16, BODY >> 8, BODY);
    channel.writeInbound(Unpooled.wrappedBuffer(new byte[1]));
  }

  @Test
  void a_partial_response_counts_with_its_allocated_memory() {
    header();
    assertThat(budget.used()).isGreaterThanOrEqualTo(BODY);
  }

  @Test
  void a_complete_response_is_counted_by_its_receiver() {
    header();
    channel.writeInbound(Unpooled.wrappedBuffer(new byte[BODY - 1]));
    Frame answer = channel.readInbound();
    assertThat(answer).isNotNull();
    assertThat(budget.used()).isZero();
    answer.release();
  }
}
