package io.sluice.server.settings;

import io.sluice.setting.Requirements;
import io.sluice.setting.Secret;
import io.sluice.tls.TlsConfig;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code admin}.
 *
 * @param host address to bind; loopback unless set
 * @param port HTTP port; 0 picks a free one
 * @param tls whether and how the port is encrypted
 * @param token the bearer token that requests need, except for /livez and /readyz; null for no
 *     access control
 */
public record AdminSettings(String host, int port, TlsSettings tls, @Nullable Secret token) {

  public AdminSettings {
    Requirements.of("admin")
        .that(port >= 0 && port <= 65_535, "port", port, "must be 0 to 65535")
        .that(
            token == null || !token.reveal().isBlank(),
            "token",
            Secret.HIDDEN,
            "must not be empty",
            "write ${file:/path} or ${NAME}, or leave the key out")
        .check();
    tls.config(TlsConfig.Side.ADMIN);
  }

  static AdminSettings defaults() {
    return new AdminSettings("127.0.0.1", 9043, TlsSettings.defaults(), null);
  }

  public TlsConfig tlsConfig() {
    return tls.config(TlsConfig.Side.ADMIN);
  }

  /** Returns the scheme of the addresses of the pages. */
  public String scheme() {
    return tls.mode() == TlsConfig.Mode.OFF ? "http" : "https";
  }
}
