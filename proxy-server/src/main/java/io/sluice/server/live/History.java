package io.sluice.server.live;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The points of the last hour. Safe for any thread. */
final class History {

  /** Number of points: one per second. */
  static final int MAX_POINTS = 3_600;

  private final Deque<Moment> moments = new ArrayDeque<>();

  synchronized void add(Moment moment) {
    if (moments.size() == MAX_POINTS) {
      moments.removeFirst();
    }
    moments.addLast(moment);
  }

  /** Returns the points, the oldest first. */
  synchronized List<Moment> all() {
    return List.copyOf(moments);
  }
}
