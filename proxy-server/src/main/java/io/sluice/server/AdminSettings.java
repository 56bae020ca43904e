package io.sluice.server;

import io.sluice.setting.Requirements;

/**
 * The section {@code admin}.
 *
 * @param host address to bind; loopback unless set, since there is no access control
 * @param port HTTP port; 0 picks a free one
 */
record AdminSettings(String host, int port) {

  AdminSettings {
    Requirements.of("admin")
        .that(port >= 0 && port <= 65_535, "port", port, "must be 0 to 65535")
        .check();
  }

  static AdminSettings defaults() {
    return new AdminSettings("127.0.0.1", 9043);
  }
}
