package io.sluice.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.function.Function;

/**
 * Waits for the first byte of a client, which tells TLS from CQL: a TLS client begins with a
 * handshake record, and no version of CQL has that number. Until it comes, the connection costs no
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
   * The entrance of one connection.
   *
   * @param tls makes the handler that takes this one's place
   * @param takesPlain whether a client may go on without TLS
   * @param outcome stands right behind this handler
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
