package io.sluice.tls;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.sluice.setting.InvalidSetting;
import io.sluice.setting.RefusedSettings;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The TLS context for new connections, made from one reading of the files. Immutable.
 *
 * @param ssl the context that creates engines
 * @param validity when the certificates of this side are valid
 */
record TlsContext(JdkSslContext ssl, Validity validity) {

  /**
   * The time for which a client that has shown a certificate may resume its session, in s. A
   * resumed session does not verify the certificate again. The JDK's default is a day.
   */
  private static final long RESUMABLE_SECONDS = 300;

  private static final long USUAL_TIMEOUT = 0;

  /** The algorithm by which the JDK compares a certificate with a host. */
  private static final String HOST_CHECK = "HTTPS";

  /**
   * Creates a context.
   *
   * @throws RefusedSettings when the files cannot be used; names the key
   */
  static TlsContext of(TlsConfig config, TlsFiles files) {
    checkCiphers(config);
    TlsMaterial material = new TlsMaterial(config, files);
    try {
      SslContextBuilder builder = builder(config, material.keyManagers());
      builder
          .sslProvider(SslProvider.JDK)
          .trustManager(material.trustManagers())
          .protocols(config.protocols());
      if (!config.ciphers().isEmpty()) {
        builder.ciphers(config.ciphers(), IdentityCipherSuiteFilter.INSTANCE);
      }
      return new TlsContext(
          (JdkSslContext) builder.build(), new Validity(config, material.certificates()));
    } catch (SSLException | IllegalArgumentException e) {
      if (e instanceof RefusedSettings refused) {
        throw refused;
      }
      throw RefusedSettings.of(
          new InvalidSetting(
              config.side().section(),
              "this section",
              "must fit together (" + e.getMessage() + ")",
              "`server --reference` shows an example"));
    }
  }

  private static SslContextBuilder builder(TlsConfig config, @Nullable KeyManagerFactory keys) {
    if (config.side() == TlsConfig.Side.NODE) {
      return SslContextBuilder.forClient()
          .keyManager(keys)
          .endpointIdentificationAlgorithm(config.hostCheck().verify() ? HOST_CHECK : null);
    }
    ClientAuth asked =
        switch (config.clientAuth()) {
          case NONE -> ClientAuth.NONE;
          case WANT -> ClientAuth.OPTIONAL;
          case REQUIRE -> ClientAuth.REQUIRE;
        };
    if (keys == null) {
      throw new IllegalArgumentException("there is no certificate");
    }
    return SslContextBuilder.forServer(keys)
        .clientAuth(asked)
        .sessionTimeout(asked == ClientAuth.NONE ? USUAL_TIMEOUT : RESUMABLE_SECONDS);
  }

  private static void checkCiphers(TlsConfig config) {
    List<String> known;
    try {
      known = List.of(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    for (int i = 0; i < config.ciphers().size(); i++) {
      if (!known.contains(config.ciphers().get(i))) {
        throw RefusedSettings.of(
            new InvalidSetting(
                config.side().section() + ".ciphers[" + i + "]",
                config.ciphers().get(i),
                "must be a cipher suite of this JVM",
                "take its JSSE name, such as TLS_AES_128_GCM_SHA256"));
      }
    }
  }
}
