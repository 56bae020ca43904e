package io.sluice.decide.divide;

import java.util.Map;
import java.util.UUID;

/**
 * The proxies of a fleet at one moment.
 *
 * @param self this process
 * @param beat the number of this proxy's own heartbeat that was read; 0 for none
 * @param others the texts of the other proxies, in the form of {@link FleetValues}; includes
 *     proxies not yet known to be alive
 */
public record FleetView(UUID self, long beat, Map<UUID, String> others) {

  public FleetView {
    others = Map.copyOf(others);
  }
}
