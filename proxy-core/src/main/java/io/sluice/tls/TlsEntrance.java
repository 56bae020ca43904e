package io.sluice.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.function.Function;

/**
 * A handler that decides by a client's first byte whether it uses TLS. A TLS client begins with a
 * handshake record, whose number is no version of CQL. Before that byte the connection needs no TLS
 * engine.
 */
final class TlsEntrance extends ChannelInboundHandlerAdapter {

  static final String NAME = "tls";

  /** ContentType.handshake of RFC 8446, 5.1. */
  private static final int HANDSHAKE = 22;

  private final Function<ByteBufAllocator, SslHandler> tls;
  private final boolean takesPlain;
  private final TlsOutcome outcome;

  /**
   * Creates the handler of one connection.
   *
   * @param tls creates the handler that replaces this one
   * @param takesPlain whether a client may connect without TLS
   * @param outcome the next handler in the pipeline
   */
  TlsEntrance(Function<ByteBufAllocator, SslHandler> tls, boolean takesPlain, TlsOutcome outcome) {
    this.tls = tls;
    this.takesPlain = takesPlain;
    this.outcome = outcome;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof ByteBuf bytes) || !bytes.isReadable()) {
      ctx.fireChannelRead(message);
      return;
    }
    if (bytes.getUnsignedByte(bytes.readerIndex()) == HANDSHAKE) {
      if (!outcome.begins()) {
        ReferenceCountUtil.release(message);
        ctx.close();
        return;
      }
      ctx.pipeline().replace(this, NAME, tls.apply(ctx.alloc()));
      ctx.fireChannelRead(message);
    } else if (takesPlain) {
      ctx.pipeline().remove(outcome);
      ctx.pipeline().remove(this);
      ctx.fireChannelRead(message);
    } else {
      ReferenceCountUtil.release(message);
      outcome.failed(TlsCause.PLAIN, null);
      ctx.close();
    }
  }
}
