import com.datastax.driver.core.Cluster;
import com.datastax.driver.core.RemoteEndpointAwareJdkSSLOptions;
import com.datastax.driver.core.Session;
import java.io.FileInputStream;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

/**
 * Reads one row at HOST:PORT over TLS with version 3 of the Java driver, or tells why it does not.
 *
 * <p>Usage: Client HOST PORT CA
 */
final class Client {
  public static void main(String[] args) throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    try (InputStream authority = new FileInputStream(args[2])) {
      trusted.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(authority));
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    Cluster.Builder builder =
        Cluster.builder()
            .addContactPoint(args[0])
            .withPort(Integer.parseInt(args[1]))
            .withSSL(new Verified(context));
    try (Cluster cluster = builder.build();
        Session session = cluster.connect()) {
      System.out.println(
          "read: " + session.execute("SELECT key FROM system.local").one().getString(0));
    } catch (RuntimeException e) {
      System.out.println("refused: " + e);
    }
  }

  /** With the host's name checked, which this version leaves to its user. */
  private static final class Verified extends RemoteEndpointAwareJdkSSLOptions {
    Verified(SSLContext context) {
      super(context, null);
    }

    @Override
    protected SSLEngine newSSLEngine(
        io.netty.channel.socket.SocketChannel channel, InetSocketAddress host) {
      SSLEngine engine = super.newSSLEngine(channel, host);
      SSLParameters parameters = engine.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      engine.setSSLParameters(parameters);
      return engine;
    }
  }
}
