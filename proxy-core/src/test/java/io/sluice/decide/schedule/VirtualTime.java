package io.sluice.decide.schedule;

import io.sluice.time.NanoClock;
import java.util.PriorityQueue;

/** A clock that stands still until the test lets the next event happen. */
final class VirtualTime implements NanoClock {
  private record Event(long at, long order, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long now;
  private long order;

  @Override
  public long nanoTime() {
    return now;
  }

  void advance(long nanos) {
    runUntil(now + nanos);
  }

  void after(long nanos, Runnable action) {
    events.add(new Event(now + Math.max(0, nanos), order++, action));
  }

  /** Lets everything happen that is due by then. */
  void runUntil(long end) {
    while (!events.isEmpty() && events.peek().at() <= end) {
      Event event = events.remove();
      now = event.at();
      event.action().run();
    }
    now = end;
  }

  /** Lets everything happen that is due, and what follows from it, until nothing is left. */
  void runOut() {
    while (!events.isEmpty()) {
      runUntil(events.peek().at());
    }
  }
}
