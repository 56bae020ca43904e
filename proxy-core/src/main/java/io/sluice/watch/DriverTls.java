package io.sluice.watch;

import com.datastax.oss.driver.api.core.metadata.EndPoint;
import com.datastax.oss.driver.api.core.ssl.SslEngineFactory;
import io.netty.buffer.ByteBufAllocator;
import io.sluice.tls.Tls;
import java.net.InetSocketAddress;
import javax.net.ssl.SSLEngine;

/** The TLS of the driver's connections, the same as that of the links. Safe for any thread. */
public final class DriverTls implements SslEngineFactory {

  private final Tls tls;

  /** Creates a factory of engines, which does not close {@code tls}. */
  public DriverTls(Tls tls) {
    this.tls = tls;
  }

  @Override
  public SSLEngine newSslEngine(EndPoint node) {
    return tls.engine(ByteBufAllocator.DEFAULT, (InetSocketAddress) node.resolve());
  }

  @Override
  public void close() {
    // The owner of the TLS context closes it.
  }
}
