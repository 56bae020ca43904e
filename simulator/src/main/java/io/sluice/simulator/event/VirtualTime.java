package io.sluice.simulator.event;

import io.sluice.time.NanoClock;
import java.util.PriorityQueue;

/**
 * A queue of events in the order of their times, and a clock that shows the time of the current
 * event. Events of the same time run in the order in which they were added, so that a run depends
 * only on its inputs. Holds only future events. Not safe for several threads.
 */
public final class VirtualTime implements NanoClock {

  private record Event(long at, long order, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long now;
  private long asked;

  /** Returns the current time, ns since the beginning of the simulation. */
  @Override
  public long nanoTime() {
    return now;
  }

  /** Runs {@code action} in {@code nanos} ns; if 0 or less, right after the current event. */
  public void after(long nanos, Runnable action) {
    events.add(new Event(now + Math.max(0, nanos), asked++, action));
  }

  /** Runs all events that are due by {@code end}, and stops the clock there. */
  public void runUntil(long end) {
    while (!events.isEmpty() && events.element().at() <= end) {
      Event event = events.remove();
      now = event.at();
      event.action().run();
    }
    now = Math.max(now, end);
  }
}
