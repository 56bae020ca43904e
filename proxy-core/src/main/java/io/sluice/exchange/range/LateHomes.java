package io.sluice.exchange.range;

import io.sluice.ring.NodeId;
import io.sluice.time.NanoClock;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;

/**
 * The nodes whose home proxy was late with a piece. A home that needs longer than 5 ms may well
 * answer within a second. So each node has marks, one for each magnitude of the time that a piece
 * was given, a power of two. A mark counts for pieces that are given no more. Safe for any thread.
 */
final class LateHomes {

  /**
   * How long the home of a node gets no piece for it after it was late with one that was given as
   * much time. Then one piece at a time tries it, until an answer comes in time.
   */
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final NanoClock clock;

  /** For each magnitude, the time of the last late answer or the last try. */
  private final Map<NodeId, NavigableMap<Integer, Long>> marks = new ConcurrentHashMap<>();

  /** Creates a state in which no home was late. */
  LateHomes(NanoClock clock) {
    this.clock = clock;
  }

  /** Records that the home of a node has not answered within the time that it was given. */
  void late(NodeId node, long givenNanos) {
    against(node, givenNanos).put(magnitude(givenNanos), clock.nanoTime());
  }

  /**
   * Records that a piece is sent to the home of a node. If the home was late with as much time,
   * pieces that are given no more wait for the outcome.
   */
  void tried(NodeId node, long givenNanos) {
    NavigableMap<Integer, Long> against = against(node, givenNanos);
    if (!against.isEmpty()) {
      against.put(magnitude(givenNanos), clock.nanoTime());
    }
  }

  /** Records that the home of a node has answered within the time that it was given. */
  void inTime(NodeId node, long givenNanos) {
    against(node, givenNanos).clear();
  }

  /** Whether the home of a node was late a moment ago, although it was given as much time. */
  boolean wasLate(NodeId node, long givenNanos) {
    long now = clock.nanoTime();
    for (long since : against(node, givenNanos).values()) {
      if (now - since < LATE_NANOS) {
        return true;
      }
    }
    return false;
  }

  /** Returns the marks that count for a piece. */
  private NavigableMap<Integer, Long> against(NodeId node, long givenNanos) {
    return marks
        .computeIfAbsent(node, same -> new ConcurrentSkipListMap<>())
        .tailMap(magnitude(givenNanos), true);
  }

  private static int magnitude(long nanos) {
    return Long.SIZE - Long.numberOfLeadingZeros(nanos);
  }
}
