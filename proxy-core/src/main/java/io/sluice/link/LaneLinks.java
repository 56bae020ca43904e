package io.sluice.link;

import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The links of one lane; used on that lane only, but for {@link #size}. */
final class LaneLinks {

  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final LinkOpener opener;
  private final Lane lane;
  private final Map<NodeId, Map<LinkKey, LinkSlot>> slots = new HashMap<>();
  private volatile int size;
  private boolean closed;

  LaneLinks(LinkOpener opener, Lane lane) {
    this.opener = opener;
    this.lane = lane;
    lane.schedule(TICK_NANOS, this::tick);
  }

  void acquire(Node node, LinkKey key, LinkWaiter waiter) {
    slots
        .computeIfAbsent(node.id(), each -> new HashMap<>())
        .computeIfAbsent(key, each -> new LinkSlot(opener, lane, node, key))
        .acquire(node, waiter);
  }

  private void tick() {
    if (closed) {
      return;
    }
    // Who is told that a node is silent asks for a link to another one meanwhile.
    List<LinkSlot> all = new ArrayList<>();
    slots.values().forEach(ofNode -> all.addAll(ofNode.values()));
    all.forEach(LinkSlot::tick);
    slots.values().forEach(ofNode -> ofNode.values().removeIf(LinkSlot::isUnused));
    slots.values().removeIf(Map::isEmpty);
    size = (int) all.stream().filter(LinkSlot::isOpen).count();
    lane.schedule(TICK_NANOS, this::tick);
  }

  int size() {
    return size;
  }

  void close() {
    closed = true;
    slots.values().forEach(ofNode -> ofNode.values().forEach(LinkSlot::close));
    slots.clear();
    size = 0;
  }
}
