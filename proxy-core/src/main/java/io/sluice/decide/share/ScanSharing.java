package io.sluice.decide.share;

import io.sluice.ring.NodeId;
import io.sluice.ring.Token;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which scans of range reads that wait for their turn want what another one is about to
 * read, so that a node reads it once. Safe for any thread.
 *
 * @param <W> what waits
 */
public final class ScanSharing<W extends ScanSharing.Waiting> {

  /** How many waiting scans are looked at on each side of the one whose turn has come. */
  private static final int NEIGHBOURS = 32;

  private final Map<Object, NavigableMap<Place, W>> waiting = new ConcurrentHashMap<>();

  /** Where a scan of which query begins; null is the beginning of the ring. */
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

  /** A scan that waits for its turn. Its methods may be called by any thread. */
  public interface Waiting {

    /** Equal for scans that may be read together: they differ in where and how much only. */
    Object key();

    /** The number of the client request it is a scan of. */
    long sequence();

    /** What it will ask for. */
    ShareRule.Scan scan();

    /** Whether it may be answered by {@code node}. */
    boolean mayGoTo(NodeId node);

    /** Gives its turn up; false when that has come already, or it is not wanted any more. */
    boolean leaveQueue();
  }

  /**
   * One read for several.
   *
   * @param whole what to read
   * @param riders those that have given their turns up for it, besides the one whose turn has come
   */
  public record Together<W>(ShareRule.Scan whole, List<W> riders) {}

  private static Place place(Waiting scan) {
    return new Place(scan.scan().range().after(), scan.sequence());
  }

  /** It waits now. */
  public void add(W scan) {
    waiting.compute(
        scan.key(),
        (key, scans) -> {
          NavigableMap<Place, W> all = scans == null ? new ConcurrentSkipListMap<>() : scans;
          all.put(place(scan), scan);
          return all;
        });
  }

  /** It does not wait any more; nothing happens if it did not. */
  public void remove(W scan) {
    waiting.computeIfPresent(
        scan.key(),
        (key, scans) -> {
          scans.remove(place(scan), scan);
          return scans.isEmpty() ? null : scans;
        });
  }

  /**
   * How many of those that wait would be read together with a scan whose turn came now. Nothing
   * changes.
   *
   * @param key as {@link Waiting#key}
   * @param nodes those that may answer the scan
   */
  public int along(Object key, ShareRule.Scan scan, List<NodeId> nodes, ShareRule rule) {
    NavigableMap<Place, W> alike = waiting.get(key);
    if (alike == null) {
      return 0;
    }
    Place place = new Place(scan.range().after(), Long.MAX_VALUE);
    Set<W> near = new LinkedHashSet<>();
    for (NodeId node : nodes) {
      near.addAll(near(alike, place, node));
    }
    return rule.along(scan, near.stream().map(Waiting::scan).toList()).size();
  }

  /** Whether nothing waits. */
  public boolean isEmpty() {
    return waiting.isEmpty();
  }

  /**
   * Takes others along with a scan whose turn has come at {@code node}. Not all may fit; those of
   * earlier requests go before later ones.
   *
   * @param now what it will ask for, now that it does
   * @return null when there are none
   */
  public @Nullable Together<W> takeAlong(W first, ShareRule.Scan now, NodeId node, ShareRule rule) {
    NavigableMap<Place, W> alike = waiting.get(first.key());
    if (alike == null) {
      return null;
    }
    List<W> near = near(alike, place(first), node);
    List<ShareRule.Scan> scans = near.stream().map(Waiting::scan).toList();
    List<W> riders = new ArrayList<>();
    List<ShareRule.Scan> all = new ArrayList<>(List.of(now));
    for (int index : rule.along(now, scans)) {
      if (near.get(index).leaveQueue()) {
        riders.add(near.get(index));
        all.add(scans.get(index));
      }
    }
    return riders.isEmpty() ? null : new Together<>(rule.together(all), riders);
  }

  private List<W> near(NavigableMap<Place, W> alike, Place place, NodeId node) {
    List<W> near = new ArrayList<>();
    addNear(alike.headMap(place, false).descendingMap(), node, near);
    addNear(alike.tailMap(place, false), node, near);
    near.sort(Comparator.comparingLong(Waiting::sequence));
    return near;
  }

  private void addNear(NavigableMap<Place, W> side, NodeId node, List<W> near) {
    Iterator<W> scans = side.values().iterator();
    for (int looked = 0; looked < NEIGHBOURS && scans.hasNext(); looked++) {
      W scan = scans.next();
      if (scan.mayGoTo(node)) {
        near.add(scan);
      }
    }
  }
}
