package io.sluice.host.jvm;

import java.io.IOException;
import java.rmi.server.RMIClientSocketFactory;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.rmi.ssl.SslRMIClientSocketFactory;

/**
 * TLS to the JMX ports of other JVMs.
 *
 * @param authorities those that may issue the certificate of a port; empty for those that this JVM
 *     trusts by default
 */
public record PortTls(List<? extends Certificate> authorities) {

  /**
   * Returns the sockets for the registry of a port. The stub in the registry brings its own
   * sockets, and they use this JVM's default: so the authorities hold for the whole JVM. They must
   * be the same ones each time.
   */
  RMIClientSocketFactory sockets() throws IOException {
    if (!authorities.isEmpty()) {
      try {
        SSLContext.setDefault(context());
      } catch (GeneralSecurityException e) {
        throw new IOException("cannot use the authorities of the JMX port", e);
      }
    }
    return new SslRMIClientSocketFactory();
  }

  private SSLContext context() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    for (int i = 0; i < authorities.size(); i++) {
      store.setCertificateEntry(Integer.toString(i), authorities.get(i));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
