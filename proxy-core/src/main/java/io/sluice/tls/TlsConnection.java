package io.sluice.tls;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The TLS of one connection, if it has any. Stateless; called on the connection's event loop. */
public final class TlsConnection {

  private TlsConnection() {}

  /**
   * Closes a connection whose handshake is under way and has no more time.
   *
   * @return false when none is under way
   */
  public static boolean giveUp(Channel channel) {
    TlsOutcome outcome = channel.pipeline().get(TlsOutcome.class);
    if (outcome == null
        || !outcome.isUnderWay()
        || channel.pipeline().get(SslHandler.class) == null) {
      return false;
    }
    outcome.failed(TlsCause.TIMEOUT, null);
    closeAtOnce(channel);
    return true;
  }

  /** Runs {@code then} after everything that was written, and the end of it, has left. */
  public static void endOutput(Channel channel, Runnable then) {
    SslHandler ssl = channel.pipeline().get(SslHandler.class);
    if (ssl == null) {
      then.run();
    } else {
      ssl.closeOutbound().addListener(done -> then.run());
    }
  }

  /** Whether this side has shown a certificate. */
  public static boolean showsCertificate(Channel channel) {
    SslHandler ssl = channel.pipeline().get(SslHandler.class);
    return ssl != null && ssl.engine().getSession().getLocalCertificates() != null;
  }

  /** The certificate that the other side has shown, and that was checked; null without one. */
  public static @Nullable X509Certificate certificate(Channel channel) {
    SslHandler ssl = channel.pipeline().get(SslHandler.class);
    try {
      return ssl == null
          ? null
          : (X509Certificate) ssl.engine().getSession().getPeerCertificates()[0];
    } catch (SSLPeerUnverifiedException none) {
      return null;
    }
  }

  /** What both sides have agreed on, by the JDK's names. */
  public record Agreed(String version, String cipher) {}

  /** What both sides have agreed on; null without TLS. */
  public static @Nullable Agreed agreed(Channel channel) {
    SslHandler ssl = channel.pipeline().get(SslHandler.class);
    if (ssl == null) {
      return null;
    }
    SSLSession session = ssl.engine().getSession();
    return new Agreed(session.getProtocol(), session.getCipherSuite());
  }

  /** Closes without a farewell: a peer that does not read would hold it up. */
  public static void closeAtOnce(Channel channel) {
    ChannelHandlerContext first = channel.pipeline().firstContext();
    if (first == null) {
      channel.close();
    } else {
      first.close();
    }
  }
}
