package io.sluice.decide.rule;

import java.util.Map;
import java.util.UUID;

/**
 * The proxies of a fleet at one look.
 *
 * @param self this process
 * @param beat the number of this proxy's own heartbeat that was read; 0 for none
 * @param others what the others say of their limits, as {@link Rules#fleetSays} has it; those too
 *     of which it is not known yet whether they live
 */
public record FleetView(UUID self, long beat, Map<UUID, String> others) {

  public FleetView {
    others = Map.copyOf(others);
  }
}
