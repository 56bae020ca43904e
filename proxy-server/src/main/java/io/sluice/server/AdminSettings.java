package io.sluice.server;

/**
 * The section {@code admin}.
 *
 * @param host address to bind; loopback unless set, since there is no access control
 * @param port HTTP port; 0 picks a free one
 */
record AdminSettings(String host, int port) {

  AdminSettings {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("admin.port must be 0 to 65535");
    }
  }

  static AdminSettings defaults() {
    return new AdminSettings("127.0.0.1", 9043);
  }
}
