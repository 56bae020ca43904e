package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;

/**
 * The counters of one node: of each class of reads, and of the waits for each class of slots. Times
 * are in ns. Not safe for several threads.
 */
final class NodeStats {
  private final ClassStats points = new ClassStats();
  private final ClassStats ranges = new ClassStats();
  private final WaitStats pointWaits = new WaitStats();
  private final WaitStats rangeWaits = new WaitStats();
  private final WaitStats lastPointWaits = new WaitStats();
  private final WaitStats lastRangeWaits = new WaitStats();
  private final WaitBehindRanges behindRanges = new WaitBehindRanges();

  /** Returns the counters of the entry's class. */
  ClassStats of(QueueEntry entry) {
    return entry.isPoint() ? points : ranges;
  }

  /**
   * Returns the waits of the entries that wait for the same slots. Entries that are queued last do
   * not count for the others, which go before them.
   */
  WaitStats waits(QueueEntry entry) {
    boolean last = entry.query.facts().share().last();
    return switch (entry.slotClass()) {
      case POINT -> last ? lastPointWaits : pointWaits;
      case RANGE -> last ? lastRangeWaits : rangeWaits;
    };
  }

  void enter(QueueEntry entry, long now) {
    of(entry).load().enter(entry);
    waits(entry).enter(entry, now);
  }

  void leave(QueueEntry entry, long now) {
    of(entry).load().leave(entry);
    waits(entry).leave(entry, now);
  }

  void start(QueueEntry entry, long now) {
    of(entry).start(entry, now);
    waits(entry).start(entry, now);
  }

  /** Counts the wait of point reads behind range reads. Called after every change. */
  void changed(int slots, long now) {
    behindRanges.change(
        points.load().queued(), points.load().inFlight(), ranges.load().inFlight(), slots, now);
  }

  /** Returns the work in flight. */
  long inFlightNanos() {
    return points.load().inFlightNanos() + ranges.load().inFlightNanos();
  }

  /** Returns the work queued and in flight. */
  long backlogNanos() {
    return points.load().nanos() + ranges.load().nanos();
  }

  /** Returns how long point reads have waited behind range reads in all. */
  double behindRangesNanos(long now) {
    return behindRanges.nanos(now);
  }

  /** Returns the state of a class, with the waits for the slots that it usually takes. */
  ClassState state(PriorityClass priorityClass, long now) {
    return priorityClass == PriorityClass.POINT
        ? points.state(pointWaits, lastPointWaits, now)
        : ranges.state(rangeWaits, lastRangeWaits, now);
  }
}
