package io.sluice.ring;

import java.util.UUID;

/**
 * A Cassandra node, by the host id it keeps for life, whatever address it has.
 *
 * @param hostId {@code system.local.host_id}
 */
public record NodeId(UUID hostId) {

  @Override
  public String toString() {
    return hostId.toString();
  }
}
