package io.sluice.decide.schedule;

import io.sluice.time.NanoClock;
import java.util.PriorityQueue;

/** A clock that advances only when the test runs the next event. */
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

  /** Runs all events that are due by then. */
  void runUntil(long end) {
    while (!events.isEmpty() && events.peek().at() <= end) {
      Event event = events.remove();
      now = event.at();
      event.action().run();
    }
    now = end;
  }

  /** Runs all events, and those that they add, until none is left. */
  void runOut() {
    while (!events.isEmpty()) {
      runUntil(events.peek().at());
    }
  }
}
