package io.sluice.server.live;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The points of the last hour. Safe for any thread. */
final class History {

  /** One each second. */
  static final int MOST = 3_600;

  private final Deque<Moment> moments = new ArrayDeque<>();

  synchronized void add(Moment moment) {
    if (moments.size() == MOST) {
      moments.removeFirst();
    }
    moments.addLast(moment);
  }

  /** The oldest first. */
  synchronized List<Moment> all() {
    return List.copyOf(moments);
  }
}
