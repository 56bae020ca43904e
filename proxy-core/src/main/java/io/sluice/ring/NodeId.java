package io.sluice.ring;

import java.util.UUID;

/**
 * The identity of a Cassandra node: its host id, which stays the same when the address changes.
 *
 * @param hostId {@code system.local.host_id}
 */
public record NodeId(UUID hostId) {

  @Override
  public String toString() {
    return hostId.toString();
  }
}
