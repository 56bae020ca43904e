package io.sluice.server.settings;

import io.sluice.setting.Secret;
import io.sluice.tls.TlsConfig;
import io.sluice.tls.TlsConfig.ClientAuth;
import io.sluice.tls.TlsConfig.HostCheck;
import io.sluice.tls.TlsConfig.Mode;
import io.sluice.tls.TlsConfig.Side;
import io.sluice.tls.TlsConfig.TlsKeys;
import io.sluice.tls.TlsConfig.TlsTrust;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The sections {@code cql.tls} and {@code admin.tls}, for accepted connections. */
record TlsSettings(
    Mode mode,
    @Nullable String certificate,
    @Nullable String key,
    @Nullable Secret keyPassword,
    @Nullable String keyStore,
    @Nullable Secret keyStorePassword,
    ClientAuth clientAuth,
    @Nullable String trust,
    @Nullable String trustStore,
    @Nullable Secret trustStorePassword,
    List<String> protocols,
    List<String> ciphers) {

  TlsSettings {
    protocols = List.copyOf(protocols);
    ciphers = List.copyOf(ciphers);
  }

  static TlsSettings defaults() {
    return new TlsSettings(
        Mode.OFF,
        null,
        null,
        null,
        null,
        null,
        ClientAuth.NONE,
        null,
        null,
        null,
        TlsConfig.PROTOCOLS,
        List.of());
  }

  /**
   * Returns the settings for the core.
   *
   * @throws io.sluice.setting.RefusedSettings when the settings contradict each other
   */
  TlsConfig config(Side side) {
    return new TlsConfig(
        side,
        mode,
        new TlsKeys(certificate, key, keyPassword, keyStore, keyStorePassword),
        new TlsTrust(trust, trustStore, trustStorePassword),
        clientAuth,
        HostCheck.ADDRESS,
        protocols,
        ciphers);
  }
}
