package io.sluice.server.admin;

import io.netty.buffer.ByteBufAllocator;
import io.sluice.tls.Tls;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** The TLS of the admin port in Jetty's terms. Each connection gets an engine of {@link Tls}. */
final class AdminTls extends SslContextFactory.Server implements SslHandshakeListener {

  private final Tls tls;

  AdminTls(Tls tls) throws GeneralSecurityException {
    this.tls = tls;
    // Unused, but without it Jetty looks for a key store.
    setSslContext(SSLContext.getDefault());
  }

  @Override
  public SSLEngine newSSLEngine() {
    return tls.serverEngine(ByteBufAllocator.DEFAULT);
  }

  @Override
  public SSLEngine newSSLEngine(String host, int port) {
    return newSSLEngine();
  }

  @Override
  public SSLEngine newSSLEngine(InetSocketAddress address) {
    return newSSLEngine();
  }

  @Override
  public void handshakeSucceeded(Event event) {
    tls.handshakeSucceeded();
  }

  @Override
  public void handshakeFailed(Event event, Throwable failure) {
    tls.handshakeFailed(failure);
  }
}
