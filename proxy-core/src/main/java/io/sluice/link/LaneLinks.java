package io.sluice.link;

import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The links of one lane; used on that lane only, but for {@link #size}. */
final class LaneLinks {

  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final LinkPool pool;
  private final Lane lane;
  private final Map<NodeId, Map<LinkKey, LinkSlot>> slots = new HashMap<>();
  private volatile int size;
  private boolean closed;

  LaneLinks(LinkPool pool, Lane lane) {
    this.pool = pool;
    this.lane = lane;
    lane.schedule(TICK_NANOS, this::tick);
  }

  void acquire(Node node, LinkKey key, LinkWaiter waiter) {
    slots
        .computeIfAbsent(node.id(), each -> new HashMap<>())
        .computeIfAbsent(key, each -> new LinkSlot(pool, lane, node, key))
        .acquire(node, waiter);
  }

  private void tick() {
    if (closed) {
      return;
    }
    int open = 0;
    for (Map<LinkKey, LinkSlot> ofNode : slots.values()) {
      for (Iterator<LinkSlot> each = ofNode.values().iterator(); each.hasNext(); ) {
        LinkSlot slot = each.next();
        slot.tick();
        if (slot.isOpen()) {
          open++;
        } else if (slot.isUnused()) {
          each.remove();
        }
      }
    }
    slots.values().removeIf(Map::isEmpty);
    size = open;
    lane.schedule(TICK_NANOS, this::tick);
  }

  int size() {
    return size;
  }

  void close() {
    closed = true;
    slots.values().forEach(ofNode -> ofNode.values().forEach(LinkSlot::close));
    slots.clear();
  }
}
