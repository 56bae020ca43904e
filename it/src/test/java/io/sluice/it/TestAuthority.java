package io.sluice.it;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.sluice.tls.TlsKeys;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;

/** A certificate authority of one test, and the certificate for loopback that it has issued. */
final class TestAuthority {

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
      CertificateBuilder builder =
          new CertificateBuilder().subject("CN=localhost").ecp256().addSanDnsName("localhost");
      for (int i = 1; i <= ADDRESSES; i++) {
        builder.addSanIpAddress("127.0.0." + i);
      }
      issued = builder.buildIssuedBy(authority);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** A file with the certificate and its key, as Cassandra reads it. */
  Path writeStore(Path file) {
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

  /** A PEM file of the authority. */
  Path writeAuthority(Path file) {
    return write(file, authority.getCertificatePEM());
  }

  /** PEM files of the certificate and its key; they replace those that are there. */
  TlsKeys writePem(Path folder) {
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

  /** The context of a client that trusts this authority and shows a certificate of it. */
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

  /** The context of a client that trusts this authority. */
  SSLContext client() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, authority.toTrustManagerFactory().getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
