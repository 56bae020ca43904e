package io.sluice.agent.queue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order of a stage, as a structure: no lock, no clock, no thread.
 *
 * <p>The next one is: a task whose deadline is over, for it costs nothing and its caller waits;
 * then an overdue one, but not twice in a row while others wait, so that a flood of ranges cannot
 * turn the order round; then the first lane that has one. Of the range lane the narrowest goes
 * first. Only the oldest of a lane is looked at for deadline and age: the others came later.
 */
final class Lanes {
  /** A starved remote point read makes its coordinator speculate: it ages that much faster. */
  static final int REMOTE_POINT_AGES_FASTER = 10;

  private final ArrivalList localPoints = new ArrivalList();
  private final ArrivalList remotePoints = new ArrivalList();
  private final ArrivalList ranges = new ArrivalList();
  private final RangeHeap narrowFirst = new RangeHeap();
  private final LaneCounts counts = new LaneCounts();
  private long arrivals;
  private boolean lastWasOverdue;

  LaneCounts counts() {
    return counts;
  }

  void add(Ticket ticket) {
    ticket.number = arrivals++;
    of(ticket.lane()).add(ticket);
    if (ticket.lane() == Lane.RANGE) {
      narrowFirst.add(ticket);
    }
    counts.came(ticket);
  }

  int size() {
    return localPoints.size() + remotePoints.size() + ranges.size();
  }

  int size(Lane lane) {
    return of(lane).size();
  }

  /** The task that has waited longest. */
  @Nullable Ticket oldest() {
    Ticket first = older(localPoints.oldest(), remotePoints.oldest());
    return older(first, ranges.oldest());
  }

  /** Takes the next one in the stage's order; null if none waits. */
  @Nullable Ticket take(long now, long ageLimitNanos) {
    Ticket oldest = oldest();
    if (oldest == null) {
      return null;
    }
    Ticket next = expired(now);
    if (next == null) {
      next = byAgeOrLane(now, ageLimitNanos);
    } else {
      counts.expired++;
    }
    if (next != oldest) {
      counts.overtakes++;
    }
    remove(next);
    return next;
  }

  /** Takes the oldest, whatever it is; null if none waits. */
  @Nullable Ticket takeOldest() {
    Ticket oldest = oldest();
    if (oldest != null) {
      remove(oldest);
    }
    return oldest;
  }

  private Ticket byAgeOrLane(long now, long ageLimitNanos) {
    Ticket byLane = byLane();
    Ticket overdue = overdue(now, ageLimitNanos);
    if (overdue == null || overdue == byLane) {
      lastWasOverdue = false;
      return byLane;
    }
    lastWasOverdue = !lastWasOverdue;
    if (lastWasOverdue) {
      counts.aged++;
      return overdue;
    }
    return byLane;
  }

  private Ticket byLane() {
    Ticket next = localPoints.oldest();
    if (next == null) {
      next = remotePoints.oldest();
    }
    if (next == null) {
      next = narrowFirst.first();
    }
    if (next == null) {
      throw new IllegalStateException("a lane has lost its tickets");
    }
    return next;
  }

  private @Nullable Ticket expired(long now) {
    Ticket expired = ifExpired(localPoints, now);
    if (expired == null) {
      expired = ifExpired(remotePoints, now);
    }
    return expired == null ? ifExpired(ranges, now) : expired;
  }

  private static @Nullable Ticket ifExpired(ArrivalList lane, long now) {
    Ticket oldest = lane.oldest();
    return oldest != null && oldest.expired(now) ? oldest : null;
  }

  /** The one whose time came first, of those whose time has come. */
  private @Nullable Ticket overdue(long now, long ageLimitNanos) {
    Ticket remote = remotePoints.oldest();
    Ticket range = ranges.oldest();
    long remoteAt = remote == null ? 0 : remote.overdueAt(ageLimitNanos / REMOTE_POINT_AGES_FASTER);
    long rangeAt = range == null ? 0 : range.overdueAt(ageLimitNanos);
    boolean remoteIs = remote != null && now - remoteAt >= 0;
    boolean rangeIs = range != null && now - rangeAt >= 0;
    if (remoteIs && rangeIs) {
      return rangeAt - remoteAt < 0 ? range : remote;
    }
    return remoteIs ? remote : rangeIs ? range : null;
  }

  /** Takes out one that waits here. */
  void remove(Ticket ticket) {
    of(ticket.lane()).remove(ticket);
    if (ticket.lane() == Lane.RANGE) {
      narrowFirst.remove(ticket);
    }
  }

  /** All that wait, oldest first. */
  List<Ticket> all() {
    List<Ticket> all = new ArrayList<>(size());
    localPoints.addTo(all);
    remotePoints.addTo(all);
    ranges.addTo(all);
    all.sort(Comparator.comparingLong(ticket -> ticket.number));
    return all;
  }

  private ArrivalList of(Lane lane) {
    switch (lane) {
      case LOCAL_POINT:
        return localPoints;
      case REMOTE_POINT:
        return remotePoints;
      case RANGE:
        return ranges;
    }
    throw new AssertionError(lane);
  }

  private static @Nullable Ticket older(@Nullable Ticket a, @Nullable Ticket b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.number < b.number ? a : b;
  }
}
