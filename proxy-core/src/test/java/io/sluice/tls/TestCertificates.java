package io.sluice.tls;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.sluice.tls.TlsConfig.ClientAuth;
import io.sluice.tls.TlsConfig.HostCheck;
import io.sluice.tls.TlsConfig.Mode;
import io.sluice.tls.TlsConfig.Side;
import io.sluice.tls.TlsConfig.TlsKeys;
import io.sluice.tls.TlsConfig.TlsTrust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** A certificate authority of one test run, and the files that it writes into a folder. */
public final class TestCertificates {

  /** Creates an authority that no default trusts. */
  public static final TestCertificates OTHER = new TestCertificates("CN=another authority");

  private final X509Bundle authority;

  /** Creates an authority. */
  public TestCertificates() {
    this("CN=test authority");
  }

  private TestCertificates(String subject) {
    authority = built(() -> builder(subject).setIsCertificateAuthority(true).buildSelfSigned());
  }

  private interface Build {
    X509Bundle build() throws Exception;
  }

  private static X509Bundle built(Build build) {
    try {
      return build.build();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static CertificateBuilder builder(String subject) {
    return new CertificateBuilder().subject(subject).ecp256();
  }

  /** Creates a certificate for loopback, with changes. */
  public X509Bundle issue(UnaryOperator<CertificateBuilder> changes) {
    return built(
        () ->
            changes
                .apply(
                    builder("CN=localhost").addSanDnsName("localhost").addSanIpAddress("127.0.0.1"))
                .buildIssuedBy(authority));
  }

  /** Creates a certificate for loopback. */
  public X509Bundle issue() {
    return issue(builder -> builder);
  }

  /** Creates a certificate that expired an hour ago. */
  public X509Bundle expired() {
    Instant now = Instant.now();
    return issue(
        builder ->
            builder
                .notBefore(now.minus(Duration.ofDays(2)))
                .notAfter(now.minus(Duration.ofHours(1))));
  }

  /** Creates a certificate for another host. */
  public X509Bundle forOtherHost() {
    return built(
        () ->
            builder("CN=elsewhere")
                .addSanDnsName("elsewhere.example")
                .addSanIpAddress("192.0.2.1")
                .buildIssuedBy(authority));
  }

  /** Writes {@code NAME.crt} and {@code NAME.key}. */
  public static TlsKeys write(Path folder, String name, X509Bundle bundle) {
    return TlsKeys.pem(
        write(folder.resolve(name + ".crt"), bundle.getCertificatePathPEM()),
        write(folder.resolve(name + ".key"), bundle.getPrivateKeyPEM()));
  }

  /** Writes {@code ca.crt}. */
  public TlsTrust writeAuthority(Path folder) {
    return TlsTrust.pem(write(folder.resolve("ca.crt"), authority.getCertificatePEM()));
  }

  static String write(Path file, String text) {
    try {
      return Files.writeString(file, text).toString();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns a trust manager for this authority. */
  TrustManager[] trustManagers() throws GeneralSecurityException {
    return authority.toTrustManagerFactory().getTrustManagers();
  }

  /** Returns the context of a peer that trusts this authority and sends {@code own}. */
  public SSLContext peer(X509Bundle own) {
    try {
      return context(own.toKeyManagerFactory().getKeyManagers());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the context of a client that trusts this authority and sends no certificate. */
  public SSLContext client() {
    return context(new KeyManager[0]);
  }

  private SSLContext context(KeyManager[] own) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(own, trustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the settings of the CQL port. */
  public static TlsConfig clients(Mode mode, TlsKeys keys) {
    return clients(mode, keys, TlsTrust.DEFAULT, ClientAuth.NONE);
  }

  /** Returns the settings of the CQL port with client certificates. */
  public static TlsConfig clients(Mode mode, TlsKeys keys, TlsTrust trust, ClientAuth clientAuth) {
    return new TlsConfig(
        Side.CLIENT,
        mode,
        keys,
        trust,
        clientAuth,
        HostCheck.ADDRESS,
        TlsConfig.PROTOCOLS,
        List.of());
  }

  /** Returns the settings of connections to nodes. */
  public static TlsConfig nodes(TlsKeys keys, TlsTrust trust, HostCheck hostCheck) {
    return new TlsConfig(
        Side.NODE,
        Mode.REQUIRED,
        keys,
        trust,
        ClientAuth.NONE,
        hostCheck,
        TlsConfig.PROTOCOLS,
        List.of());
  }
}
