package io.sluice.link;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.sluice.memory.ArrivingAnswer;
import io.sluice.wire.AnswerMemory;
import io.sluice.wire.ErrorCode;
import io.sluice.wire.Framing;
import org.jspecify.annotations.Nullable;

/**
 * A handler that counts the memory of responses that have not arrived completely on one link, and
 * refuses large ones that do not fit. Used by the link's event loop only.
 */
final class UnfinishedAnswers extends ChannelInboundHandlerAdapter implements AnswerMemory {

  private final Framing framing;
  private final ArrivingAnswer memory;

  /**
   * Creates a handler that has counted nothing yet.
   *
   * @param framing the link's framing
   * @param memory the link's part of the budget
   */
  UnfinishedAnswers(Framing framing, ArrivingAnswer memory) {
    this.framing = framing;
    this.memory = memory;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    framing.answerMemory(this);
  }

  @Override
  public @Nullable Refusal reserve(long bytes) {
    if (memory.reserve(bytes)) {
      return null;
    }
    // Drivers send a read again after OVERLOADED, and never after INVALID.
    return bytes > memory.most()
        ? new Refusal(
            ErrorCode.INVALID,
            ("The answer needs %d bytes of memory, and one answer may have at most %d (half of"
                    + " cql.maxMemoryPercent); read it in pages, with a smaller page size")
                .formatted(bytes, memory.most()))
        : new Refusal(
            ErrorCode.OVERLOADED,
            ("Memory is short: the answer needs %d bytes, which are not free now"
                    + " (cql.maxMemoryPercent); a smaller page size needs less")
                .formatted(bytes));
  }

  @Override
  public void release() {
    memory.release();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    memory.holds(framing.unfinishedBytes());
    ctx.fireChannelReadComplete();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    memory.release();
    memory.holds(0);
  }
}
