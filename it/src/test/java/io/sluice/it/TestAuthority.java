package io.sluice.it;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.sluice.tls.TlsConfig;
import io.sluice.tls.TlsConfig.HostCheck;
import io.sluice.tls.TlsConfig.TlsKeys;
import io.sluice.tls.TlsConfig.TlsTrust;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate authority of one test, with a certificate for loopback. */
final class TestAuthority {

  /** A kind of certificates. */
  enum Kind {
    /** For loopback, and valid now. */
    GOOD,
    /** For loopback, and expired yesterday. */
    EXPIRED,
    /** For another host. */
    OTHER_HOST
  }

  static final String PASSWORD = "sluice";

  private static final int ADDRESSES = 4;

  private final X509Bundle authority;
  private final X509Bundle issued;

  TestAuthority() {
    try {
      authority =
          new CertificateBuilder()
              .subject("CN=test authority")
              .ecp256()
              .setIsCertificateAuthority(true)
              .buildSelfSigned();
      issued = issue(Kind.GOOD);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private X509Bundle issue(Kind kind) {
    Instant now = Instant.now();
    CertificateBuilder builder =
        new CertificateBuilder()
            .ecp256()
            .notBefore(now.minus(Duration.ofDays(2)))
            .notAfter(now.plus(Duration.ofDays(kind == Kind.EXPIRED ? -1 : 2)));
    if (kind == Kind.OTHER_HOST) {
      builder.subject("CN=other.example.com").addSanDnsName("other.example.com");
    } else {
      builder.subject("CN=localhost").addSanDnsName("localhost");
      for (int i = 1; i <= ADDRESSES; i++) {
        builder.addSanIpAddress("127.0.0." + i);
      }
    }
    try {
      return builder.buildIssuedBy(authority);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes a key store with the certificate and its key, as Cassandra reads it. */
  Path writeStore(Path file) {
    return writeStore(file, issued);
  }

  /** Writes a key store with a certificate of this kind. */
  Path writeStore(Path file, Kind kind) {
    return writeStore(file, issue(kind));
  }

  private static Path writeStore(Path file, X509Bundle issued) {
    try (OutputStream out = Files.newOutputStream(file)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry(
          "node",
          issued.getKeyPair().getPrivate(),
          PASSWORD.toCharArray(),
          issued.getCertificatePathWithRoot());
      store.store(out, PASSWORD.toCharArray());
      return file;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns Cassandra's {@code client_encryption_options} with the certificate in this key store.
   */
  static Map<String, Object> encryption(Path store, boolean optional) {
    return Map.of(
        "enabled",
        true,
        "optional",
        optional,
        "keystore",
        store.toString(),
        "keystore_password",
        PASSWORD,
        "store_type",
        "PKCS12");
  }

  /**
   * Returns settings for TLS with nodes that have certificates of this authority. Writes its PEM
   * file to the folder.
   */
  TlsConfig nodes(Path folder) {
    return new TlsConfig(
        TlsConfig.Side.NODE,
        TlsConfig.Mode.REQUIRED,
        TlsKeys.NONE,
        TlsTrust.pem(writeAuthority(folder.resolve("ca.crt")).toString()),
        TlsConfig.ClientAuth.NONE,
        HostCheck.ADDRESS,
        TlsConfig.PROTOCOLS,
        List.of());
  }

  /** Returns settings for TLS with clients, with these PEM files. */
  static TlsConfig clients(TlsConfig.Mode mode, TlsKeys keys) {
    return new TlsConfig(
        TlsConfig.Side.CLIENT,
        mode,
        keys,
        TlsTrust.DEFAULT,
        TlsConfig.ClientAuth.NONE,
        HostCheck.ADDRESS,
        TlsConfig.PROTOCOLS,
        List.of());
  }

  /** Writes a PEM file of the authority. */
  Path writeAuthority(Path file) {
    return write(file, authority.getCertificatePEM());
  }

  /** Writes PEM files of the certificate and its key, replacing existing ones. */
  TlsKeys writePem(Path folder) {
    return writePem(folder, issued);
  }

  /** Writes PEM files with a certificate of this kind. */
  TlsKeys writePem(Path folder, Kind kind) {
    return writePem(folder, issue(kind));
  }

  private static TlsKeys writePem(Path folder, X509Bundle issued) {
    return TlsKeys.pem(
        write(folder.resolve("tls.crt"), issued.getCertificatePathPEM()).toString(),
        write(folder.resolve("tls.key"), issued.getPrivateKeyPEM()).toString());
  }

  private static Path write(Path file, String text) {
    try {
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the context of a client that trusts this authority and has a certificate of it. */
  SSLContext client(String subject, String uri) {
    try {
      X509Bundle own =
          new CertificateBuilder()
              .subject(subject)
              .ecp256()
              .addSanUriName(uri)
              .buildIssuedBy(authority);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          own.toKeyManagerFactory().getKeyManagers(),
          authority.toTrustManagerFactory().getTrustManagers(),
          null);
      return context;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the context of a client that trusts this authority. */
  SSLContext client() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, authority.toTrustManagerFactory().getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the context of a client that trusts the authority of a PEM file. */
  static SSLContext trusting(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
