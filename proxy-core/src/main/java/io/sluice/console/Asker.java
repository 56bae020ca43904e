package io.sluice.console;

import io.sluice.accept.Client;

/**
 * The client that asks.
 *
 * @param operator whether it may see what belongs to others
 */
record Asker(Client client, boolean operator) {

  /** The role and the address, for people. */
  String name() {
    return "role "
        + client.identity().role()
        + " from "
        + client.address().getHostString()
        + ":"
        + client.address().getPort();
  }

  /** Whether it may see what belongs to {@code role}. */
  boolean sees(String role) {
    return operator || client.identity().role().equals(role);
  }
}
