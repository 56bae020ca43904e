package io.sluice.accept;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.sluice.wire.Frame;
import io.sluice.wire.ProtocolError;

/** The last handler of a client's pipeline. Passes the channel's events to its session. */
final class ClientChannel extends ChannelInboundHandlerAdapter {

  private final ClientSession session;

  ClientChannel(ClientSession session) {
    this.session = session;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof Frame frame) {
      session.read(frame);
    } else if (message instanceof ProtocolError broken) {
      session.refuse(broken);
    } else {
      ctx.fireChannelRead(message);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    session.readComplete();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    session.writabilityChanged();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    session.gone();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    session.broken(cause);
  }
}
