package io.sluice.console;

import io.sluice.accept.Client;
import io.sluice.time.Lane;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The reader of a table: a client, or an operator at the admin port.
 *
 * @param name role and address, for messages
 * @param role the role that logged in; null at the admin port
 * @param lane the lane on which the reader receives the rows
 * @param connectedTo the address of this proxy to which the client is connected; null at the admin
 *     port
 * @param operator whether the reader may see what belongs to other roles
 */
record Asker(
    String name,
    @Nullable String role,
    Lane lane,
    @Nullable InetSocketAddress connectedTo,
    boolean operator) {

  static Asker of(Client client, boolean operator) {
    String role = client.identity().role();
    return new Asker(
        "role " + role + " from " + client.addressText(),
        role,
        client.lane(),
        client.connectedTo(),
        operator);
  }

  /** Returns the operator at the admin port. */
  static Asker operator(Lane lane) {
    return new Asker("the admin port", null, lane, null, true);
  }

  /** Whether the reader may see what belongs to {@code owner}. */
  boolean sees(String owner) {
    return operator || owner.equals(role);
  }
}
