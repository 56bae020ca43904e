package io.sluice.tls;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Tells once how the handshake of a connection ended, and keeps the exceptions of TLS from the rest
 * of the pipeline.
 */
final class TlsOutcome extends ChannelInboundHandlerAdapter {

  private final TlsCounts counts;
  private final TlsListener listener;
  private boolean secured;
  private boolean failed;

  TlsOutcome(TlsCounts counts, TlsListener listener) {
    this.counts = counts;
    this.listener = listener;
  }

  boolean begins() {
    return listener.begins();
  }

  boolean isUnderWay() {
    return !secured && !failed;
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (!(event instanceof SslHandshakeCompletionEvent end)) {
      ctx.fireUserEventTriggered(event);
    } else if (end.isSuccess()) {
      secured = true;
      counts.handshakes.increment();
      listener.secured();
    } else {
      failed(TlsCause.of(end.cause()), end.cause());
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable thrown) {
    Throwable cause =
        thrown instanceof DecoderException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    if (cause instanceof SSLException) {
      failed(TlsCause.of(cause), cause);
      ctx.close();
    } else {
      ctx.fireExceptionCaught(thrown);
    }
  }

  /** Ends it for a reason of this side. */
  void failed(TlsCause cause, @Nullable Throwable thrown) {
    if (!failed) {
      failed = true;
      counts.failed(cause);
      listener.failed(cause, "TLS handshake: " + cause.explained(thrown));
    }
  }
}
