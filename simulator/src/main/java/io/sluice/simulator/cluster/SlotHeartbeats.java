package io.sluice.simulator.cluster;

import io.sluice.decide.divide.FleetValues;
import io.sluice.decide.divide.FleetView;
import io.sluice.decide.schedule.FleetSlots;
import io.sluice.simulator.event.VirtualTime;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The heartbeats by which proxies divide the range slots of nodes. All proxies begin with equal
 * parts, as if they had run before. A proxy that is dead is missing from the next read. Not safe
 * for several threads.
 */
final class SlotHeartbeats {
  private static final long EVERY_NANOS = 500_000_000;

  private final VirtualTime time;
  private final Map<UUID, String> rows = new HashMap<>();

  SlotHeartbeats(VirtualTime time) {
    this.time = time;
  }

  /** Starts the heartbeats of one of {@code proxies} proxies. They begin at different times. */
  void add(UUID id, SimProxy proxy, int proxies) {
    FleetSlots slots = FleetSlots.of(proxy.scheduler());
    slots.othersUnreachable(proxies);
    long first = EVERY_NANOS * rows.size() / proxies;
    rows.put(id, FleetValues.FORMAT + slots.entry(0));
    time.after(first, () -> round(1, id, proxy, slots));
  }

  private void round(long beat, UUID id, SimProxy proxy, FleetSlots slots) {
    if (proxy.isDead()) {
      rows.remove(id);
      return;
    }
    rows.put(id, FleetValues.FORMAT + slots.entry(beat));
    Map<UUID, String> others = new HashMap<>(rows);
    others.remove(id);
    slots.received(new FleetView(id, beat, others));
    time.after(EVERY_NANOS, () -> round(beat + 1, id, proxy, slots));
  }
}
