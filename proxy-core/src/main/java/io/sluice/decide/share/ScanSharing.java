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
 * Finds queued scans of range reads that want the rows that another scan is about to read, so that
 * a node reads them once. Safe for any thread.
 *
 * @param <W> the type of the queued scans
 */
public final class ScanSharing<W extends ScanSharing.Waiting> {

  /** Number of queued scans examined on each side of the one whose turn has come. */
  private static final int NEIGHBOURS = 32;

  private final Map<Object, NavigableMap<Place, W>> waiting = new ConcurrentHashMap<>();

  /** The beginning of a scan and the number of its query; null is the beginning of the ring. */
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

  /** A scan that waits for its turn. Any thread may call its methods. */
  public interface Waiting {

    /**
     * Returns a key that is equal for scans that may be read together: they differ only in range
     * and number of rows.
     */
    Object key();

    /** Returns the number of the client request that the scan belongs to. */
    long sequence();

    /** Returns what the scan will ask for. */
    ShareRule.Scan scan();

    /** Whether {@code node} may answer the scan. */
    boolean mayGoTo(NodeId node);

    /**
     * Ends the wait, because other rows will serve the scan; false if the scan does not wait any
     * more or cannot take rows now. A scan whose turn has come may wait again, and leave again.
     */
    boolean leaveQueue();
  }

  /**
   * One read for several scans.
   *
   * @param whole what to read
   * @param riders the scans that have given up their turns for it, besides the one whose turn has
   *     come
   */
  public record Together<W>(ShareRule.Scan whole, List<W> riders) {}

  private static Place place(Waiting scan) {
    return new Place(scan.scan().range().after(), scan.sequence());
  }

  /** Adds a scan that waits now. */
  public void add(W scan) {
    waiting.compute(
        scan.key(),
        (key, scans) -> {
          NavigableMap<Place, W> all = scans == null ? new ConcurrentSkipListMap<>() : scans;
          all.put(place(scan), scan);
          return all;
        });
  }

  /** Removes a scan that does not wait any more. Does nothing if it is absent. */
  public void remove(W scan) {
    waiting.computeIfPresent(
        scan.key(),
        (key, scans) -> {
          scans.remove(place(scan), scan);
          return scans.isEmpty() ? null : scans;
        });
  }

  /**
   * Returns how many queued scans would be read together with a scan whose turn came now. Changes
   * nothing.
   *
   * @param key as {@link Waiting#key}
   * @param nodes the nodes that may answer the scan
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

  /** Whether no scan waits. */
  public boolean isEmpty() {
    return waiting.isEmpty();
  }

  /**
   * Takes other scans along with a scan whose turn has come at {@code node}. If not all fit,
   * earlier requests go first.
   *
   * @param now what the scan asks for now
   * @return null if there are none
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
