package io.sluice.link;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.sluice.wire.Framing;
import java.util.function.LongConsumer;

/**
 * Counts the memory of answers that have not arrived whole on one link. Used by the link's event
 * loop only.
 */
final class UnfinishedAnswers extends ChannelInboundHandlerAdapter {

  private final Framing framing;
  private final LongConsumer count;

  /**
   * Counts nothing yet.
   *
   * @param framing that of the link
   * @param count is told the bytes
   */
  UnfinishedAnswers(Framing framing, LongConsumer count) {
    this.framing = framing;
    this.count = count;
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    count.accept(framing.unfinishedBytes());
    ctx.fireChannelReadComplete();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    count.accept(0);
  }
}
