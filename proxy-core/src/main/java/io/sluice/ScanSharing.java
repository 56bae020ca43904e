package io.sluice;

import io.sluice.decide.plan.ShareRule;
import io.sluice.decide.schedule.Query;
import io.sluice.link.LinkKey;
import io.sluice.ring.NodeId;
import io.sluice.ring.Token;
import io.sluice.wire.Frame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which parts of range reads that wait for their turn want what another one is about to
 * read, so that a node reads it once. Safe for any thread.
 */
final class ScanSharing {

  /** How many waiting parts are looked at on each side of the one whose turn has come. */
  private static final int NEIGHBOURS = 32;

  private final Map<Key, NavigableMap<Place, Waiting>> waiting = new ConcurrentHashMap<>();

  /**
   * What parts must have in common to be read together: they differ in where and how much only.
   *
   * @param link whose links they would use
   * @param request all else that their requests say
   */
  record Key(LinkKey link, ByteBuffer request) {}

  /** Where a part of which query begins; null is the beginning of the ring. */
  private record Place(@Nullable Token after, long sequence) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int order =
          after == null || other.after == null
              ? Boolean.compare(after != null, other.after != null)
              : after.compareTo(other.after);
      return order != 0 ? order : Long.compare(sequence, other.sequence);
    }
  }

  /** A part that waits for its turn. Its methods may be called by any thread. */
  interface Waiting {

    /** What it must have in common with others. */
    Key key();

    /** The client request it is a part of. */
    Query query();

    /** What it will ask for. */
    ShareRule.Part part();

    /** Whether it may be answered by {@code node}. */
    boolean mayGoTo(NodeId node);

    /** Gives its turn up; false when that has come already, or it is not wanted any more. */
    boolean leaveQueue();

    /**
     * Another has read for it, after it gave its turn up. Called once, and takes the frame over.
     *
     * @param answer null when that came to nothing: it has to wait for its turn again
     */
    void ride(@Nullable Frame answer);
  }

  private static Place place(Waiting part) {
    return new Place(part.part().range().after(), part.query().sequence());
  }

  /** It waits now. */
  void add(Waiting part) {
    waiting.compute(
        part.key(),
        (key, parts) -> {
          NavigableMap<Place, Waiting> all = parts == null ? new ConcurrentSkipListMap<>() : parts;
          all.put(place(part), part);
          return all;
        });
  }

  /** It does not wait any more; nothing happens if it did not. */
  void remove(Waiting part) {
    waiting.computeIfPresent(
        part.key(),
        (key, parts) -> {
          parts.remove(place(part), part);
          return parts.isEmpty() ? null : parts;
        });
  }

  /** Whether nothing waits. */
  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /**
   * Takes others along with a part whose turn has come at {@code node}.
   *
   * @return null when there are none
   */
  @Nullable SharedScan takeAlong(Waiting first, ShareRule.Part now, NodeId node, ShareRule rule) {
    NavigableMap<Place, Waiting> alike = waiting.get(first.key());
    if (alike == null) {
      return null;
    }
    List<Waiting> near = near(alike, place(first), node);
    List<ShareRule.Part> parts = near.stream().map(Waiting::part).toList();
    List<Waiting> riders = new ArrayList<>();
    List<ShareRule.Part> all = new ArrayList<>(List.of(now));
    for (int index : rule.along(now, parts)) {
      if (near.get(index).leaveQueue()) {
        riders.add(near.get(index));
        all.add(parts.get(index));
      }
    }
    return riders.isEmpty() ? null : new SharedScan(rule.together(all), now, riders);
  }

  private static List<Waiting> near(NavigableMap<Place, Waiting> alike, Place place, NodeId node) {
    List<Waiting> near = new ArrayList<>();
    addNear(alike.headMap(place, false).descendingMap(), node, near);
    addNear(alike.tailMap(place, false), node, near);
    return near;
  }

  private static void addNear(NavigableMap<Place, Waiting> side, NodeId node, List<Waiting> near) {
    Iterator<Waiting> parts = side.values().iterator();
    for (int looked = 0; looked < NEIGHBOURS && parts.hasNext(); looked++) {
      Waiting part = parts.next();
      if (part.mayGoTo(node)) {
        near.add(part);
      }
    }
  }
}
