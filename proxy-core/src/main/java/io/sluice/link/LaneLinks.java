package io.sluice.link;

import io.sluice.link.Link.LinkWaiter;
import io.sluice.ring.Node;
import io.sluice.ring.NodeId;
import io.sluice.time.Lane;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The links of one lane. Not safe for several threads: one lane, except {@link #size}. */
final class LaneLinks {

  private static final String STOPPING = "Sluice is stopping";
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * The most links to one node that are kept while idle. There may be a link for each identity and
   * session keyspace, and most of these are used only briefly.
   */
  private static final int MAX_PER_NODE = 64;

  private final SpareLinks opener;
  private final Lane lane;
  private final int number;
  private final Map<NodeId, Map<LinkKey, LinkSlot>> slots = new HashMap<>();
  private volatile int size;
  private boolean closed;

  LaneLinks(LinkOpener opener, Lane lane, int number) {
    this.opener = new SpareLinks(opener);
    this.lane = lane;
    this.number = number;
    lane.schedule(TICK_NANOS, this::tick);
  }

  void acquire(Node node, LinkKey key, LinkWaiter waiter) {
    Map<LinkKey, LinkSlot> ofNode =
        slots.computeIfAbsent(node.id(), each -> leastRecentlyUsedFirst());
    LinkSlot slot = ofNode.get(key);
    if (slot == null) {
      makeRoom(ofNode);
      slot = new LinkSlot(opener, lane, node, key);
      ofNode.put(key, slot);
    }
    slot.acquire(node, waiter);
  }

  private static Map<LinkKey, LinkSlot> leastRecentlyUsedFirst() {
    return new LinkedHashMap<>(16, 0.75f, true);
  }

  /**
   * Closes the idle link that has been unused for longest, if there are too many. Never closes a
   * link in use.
   */
  private static void makeRoom(Map<LinkKey, LinkSlot> ofNode) {
    if (ofNode.size() < MAX_PER_NODE) {
      return;
    }
    Iterator<LinkSlot> eldest = ofNode.values().iterator();
    while (eldest.hasNext()) {
      LinkSlot slot = eldest.next();
      if (slot.isIdle()) {
        eldest.remove();
        slot.close("too many idle links");
        return;
      }
    }
  }

  private void tick() {
    if (closed) {
      return;
    }
    try {
      check();
    } finally {
      lane.schedule(TICK_NANOS, this::tick);
    }
  }

  private void check() {
    // A copy, because a listener that hears of a silent node acquires a link to another node.
    List<LinkSlot> all = new ArrayList<>();
    slots.values().forEach(ofNode -> all.addAll(ofNode.values()));
    all.forEach(LinkSlot::tick);
    opener.tick();
    slots.values().forEach(ofNode -> ofNode.values().removeIf(LinkSlot::isUnused));
    slots.values().removeIf(Map::isEmpty);
    size = (int) all.stream().filter(LinkSlot::isOpen).count();
  }

  int size() {
    return size;
  }

  Lane lane() {
    return lane;
  }

  List<LinkFacts> facts() {
    List<LinkFacts> facts = new ArrayList<>();
    slots
        .values()
        .forEach(ofNode -> ofNode.values().forEach(each -> facts.add(each.facts(number))));
    return facts;
  }

  void close() {
    closed = true;
    slots.values().forEach(ofNode -> ofNode.values().forEach(each -> each.close(STOPPING)));
    slots.clear();
    opener.close();
    size = 0;
  }
}
