package io.sluice.link;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.sluice.wire.Framing;
import java.util.function.LongConsumer;

/**
 * A handler that counts the memory of responses that have not arrived completely on one link. Used
 * by the link's event loop only.
 */
final class UnfinishedAnswers extends ChannelInboundHandlerAdapter {

  private final Framing framing;
  private final LongConsumer count;

  /**
   * Creates a handler that has counted nothing yet.
   *
   * @param framing the link's framing
   * @param count called with the present bytes
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
