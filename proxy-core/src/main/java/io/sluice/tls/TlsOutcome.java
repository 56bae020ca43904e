package io.sluice.tls;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A handler that reports the result of a connection's handshake once, and hides TLS exceptions from
 * the rest of the pipeline.
 *
 * <p>Some clients check the certificate only after the handshake, and close without an alert. So a
 * client that closes before it has sent anything counts as a failed handshake.
 */
final class TlsOutcome extends ChannelDuplexHandler {

  private final TlsCounts counts;
  private final TlsListener listener;
  private boolean secured;
  private boolean failed;

  /** Whether the end of the connection would be no failure of TLS. */
  private boolean mayEnd;

  /**
   * Creates the handler of one handshake.
   *
   * @param accepted whether the other side is a client
   */
  TlsOutcome(TlsCounts counts, TlsListener listener, boolean accepted) {
    this.counts = counts;
    this.listener = listener;
    this.mayEnd = !accepted;
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
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    mayEnd = true;
    ctx.fireChannelRead(message);
  }

  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    mayEnd = true;
    ctx.close(promise);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    if (secured && !mayEnd && !failed) {
      failed = true;
      counts.failed(TlsCause.CLOSED);
      listener.failed(
          TlsCause.CLOSED,
          "TLS: closed by the other side right after the handshake; it may not trust the"
              + " certificate");
    }
    ctx.fireChannelInactive();
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

  /** Reports and counts a failure, once. */
  void failed(TlsCause cause, @Nullable Throwable thrown) {
    if (!failed) {
      failed = true;
      counts.failed(cause);
      listener.failed(cause, "TLS handshake: " + cause.explained(thrown));
    }
  }
}
