package io.sluice.tls;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Reads and ends the TLS of a connection, if it has any. Stateless. Called on the connection's
 * event loop.
 */
public final class TlsConnection {

  private TlsConnection() {}

  /**
   * Closes a connection whose handshake has not finished in time.
   *
   * @return false when no handshake is in progress
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

  /** Runs {@code then} after all writes and the closing alert were sent. */
  public static void endOutput(Channel channel, Runnable then) {
    SslHandler ssl = channel.pipeline().get(SslHandler.class);
    if (ssl == null) {
      then.run();
    } else {
      ssl.closeOutbound().addListener(done -> then.run());
    }
  }

  /** Whether this side has sent a certificate. */
  public static boolean showsCertificate(Channel channel) {
    SslHandler ssl = channel.pipeline().get(SslHandler.class);
    return ssl != null && ssl.engine().getSession().getLocalCertificates() != null;
  }

  /** Returns the verified certificate of the other side; null without one. */
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

  /** The negotiated version and cipher, by the JDK's names. */
  public record Agreed(String version, String cipher) {}

  /** Returns the negotiated version and cipher; null without TLS. */
  public static @Nullable Agreed agreed(Channel channel) {
    SslHandler ssl = channel.pipeline().get(SslHandler.class);
    if (ssl == null) {
      return null;
    }
    SSLSession session = ssl.engine().getSession();
    return new Agreed(session.getProtocol(), session.getCipherSuite());
  }

  /** Closes without a closing alert, which a peer that does not read would delay. */
  public static void closeAtOnce(Channel channel) {
    ChannelHandlerContext first = channel.pipeline().firstContext();
    if (first == null) {
      channel.close();
    } else {
      first.close();
    }
  }
}
