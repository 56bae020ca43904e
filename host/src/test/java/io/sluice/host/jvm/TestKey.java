package io.sluice.host.jvm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A key with a certificate that it signed itself.
 *
 * @param store its key store
 */
public record TestKey(KeyStore store) {
  private static final String PASSWORD = "secret";

  /** Creates a key with the JDK's tool, which writes it to a new file in the folder. */
  public static TestKey in(Path folder) throws Exception {
    Path file = Files.createTempDirectory(folder, "key").resolve("store.p12");
    Process tool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (tool.waitFor() != 0) {
      throw new IOException("keytool failed");
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    return new TestKey(store);
  }

  public Certificate certificate() throws GeneralSecurityException {
    return store.getCertificate(store.aliases().nextElement());
  }

  /** Returns the certificate as the text of a PEM file. */
  public String pem() throws GeneralSecurityException {
    return "-----BEGIN CERTIFICATE-----\n"
        + Base64.getMimeEncoder().encodeToString(certificate().getEncoded())
        + "\n-----END CERTIFICATE-----\n";
  }

  /** Returns the TLS of a server with this key. */
  SSLContext server() throws GeneralSecurityException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }
}
