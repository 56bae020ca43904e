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

/** The section {@code cluster.tls}. */
record NodeTlsSettings(
    Mode mode,
    @Nullable String trust,
    @Nullable String trustStore,
    @Nullable Secret trustStorePassword,
    boolean verifyHost,
    @Nullable String serverName,
    @Nullable String certificate,
    @Nullable String key,
    @Nullable Secret keyPassword,
    @Nullable String keyStore,
    @Nullable Secret keyStorePassword,
    List<String> protocols,
    List<String> ciphers) {

  NodeTlsSettings {
    protocols = List.copyOf(protocols);
    ciphers = List.copyOf(ciphers);
  }

  static NodeTlsSettings defaults() {
    return new NodeTlsSettings(
        Mode.OFF,
        null,
        null,
        null,
        true,
        null,
        null,
        null,
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
  TlsConfig config() {
    return new TlsConfig(
        Side.NODE,
        mode,
        new TlsKeys(certificate, key, keyPassword, keyStore, keyStorePassword),
        new TlsTrust(trust, trustStore, trustStorePassword),
        ClientAuth.NONE,
        new HostCheck(verifyHost, serverName),
        protocols,
        ciphers);
  }
}
