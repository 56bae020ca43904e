package io.sluice.simulator.event;

import io.sluice.time.NanoClock;
import java.util.PriorityQueue;

/**
 * Events in the order of their times, and a clock that shows the time of the one that happens.
 * Events of the same time happen in the order in which they were asked for, so that a run depends
 * on nothing but its inputs. Holds what is still to come, nothing else. Not safe for several
 * threads.
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

  /** The present, ns since the beginning of the simulation. */
  @Override
  public long nanoTime() {
    return now;
  }

  /** Lets {@code action} happen in so many ns; at once, but after this event, when 0 or less. */
  public void after(long nanos, Runnable action) {
    events.add(new Event(now + Math.max(0, nanos), asked++, action));
  }

  /** Lets everything happen that is due by {@code end}, and stands there. */
  public void runUntil(long end) {
    while (!events.isEmpty() && events.element().at() <= end) {
      Event event = events.remove();
      now = event.at();
      event.action().run();
    }
    now = Math.max(now, end);
  }
}
