package io.sluice.agent.queue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order of a stage, as a data structure without lock, clock or thread.
 *
 * <p>The next task is one whose deadline has expired: Cassandra drops it at no cost, and its caller
 * waits. Otherwise it is an overdue task, but not twice in a row while others are queued, so that a
 * flood of ranges cannot invert the order. Otherwise it is a task of the first priority that has
 * one, of range reads the narrowest. Only the oldest task of a priority is checked for deadline and
 * age, because the others arrived later.
 */
final class StageOrder {
  /**
   * The factor by which remote point reads age faster. A starved one makes its coordinator
   * speculate.
   */
  static final int REMOTE_POINT_AGES_FASTER = 10;

  private final ArrivalList localPoints = new ArrivalList();
  private final ArrivalList remotePoints = new ArrivalList();
  private final ArrivalList ranges = new ArrivalList();
  private final RangeHeap narrowFirst = new RangeHeap();
  private final StageCounts counts = new StageCounts();
  private long arrivals;
  private boolean lastWasOverdue;

  StageCounts counts() {
    return counts;
  }

  void add(Ticket ticket) {
    ticket.number = arrivals++;
    of(ticket.priority()).add(ticket);
    if (ticket.priority() == Priority.RANGE) {
      narrowFirst.add(ticket);
    }
    counts.onAdded(ticket);
  }

  int size() {
    return localPoints.size() + remotePoints.size() + ranges.size();
  }

  int size(Priority priority) {
    return of(priority).size();
  }

  /** Returns the task that has waited longest. */
  @Nullable Ticket oldest() {
    Ticket first = older(localPoints.oldest(), remotePoints.oldest());
    return older(first, ranges.oldest());
  }

  /** Takes the next task in the stage's order; null if none is queued. */
  @Nullable Ticket take(long now, long ageLimitNanos) {
    Ticket oldest = oldest();
    if (oldest == null) {
      return null;
    }
    Ticket next = expired(now);
    if (next == null) {
      next = byAgeOrPriority(now, ageLimitNanos);
    } else {
      counts.expired++;
    }
    if (next != oldest) {
      counts.overtakes++;
    }
    remove(next);
    return next;
  }

  /** Takes the oldest task of any priority; null if none is queued. */
  @Nullable Ticket takeOldest() {
    Ticket oldest = oldest();
    if (oldest != null) {
      remove(oldest);
    }
    return oldest;
  }

  private Ticket byAgeOrPriority(long now, long ageLimitNanos) {
    Ticket byPriority = byPriority();
    Ticket overdue = overdue(now, ageLimitNanos);
    if (overdue == null || overdue == byPriority) {
      lastWasOverdue = false;
      return byPriority;
    }
    lastWasOverdue = !lastWasOverdue;
    if (lastWasOverdue) {
      counts.aged++;
      return overdue;
    }
    return byPriority;
  }

  private Ticket byPriority() {
    Ticket next = localPoints.oldest();
    if (next == null) {
      next = remotePoints.oldest();
    }
    if (next == null) {
      next = narrowFirst.first();
    }
    if (next == null) {
      throw new IllegalStateException("no priority has a ticket, although tickets are queued");
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

  private static @Nullable Ticket ifExpired(ArrivalList tasks, long now) {
    Ticket oldest = tasks.oldest();
    return oldest != null && oldest.expired(now) ? oldest : null;
  }

  /** Returns the overdue task whose limit passed first; null if none is overdue. */
  private @Nullable Ticket overdue(long now, long ageLimitNanos) {
    Ticket remote = remotePoints.oldest();
    Ticket range = ranges.oldest();
    long remoteAt = remote == null ? 0 : remote.overdueAt(ageLimitNanos / REMOTE_POINT_AGES_FASTER);
    long rangeAt = range == null ? 0 : range.overdueAt(ageLimitNanos);
    boolean remoteOverdue = remote != null && now - remoteAt >= 0;
    boolean rangeOverdue = range != null && now - rangeAt >= 0;
    if (remoteOverdue && rangeOverdue) {
      return rangeAt - remoteAt < 0 ? range : remote;
    }
    return remoteOverdue ? remote : rangeOverdue ? range : null;
  }

  /** Removes a queued task. */
  void remove(Ticket ticket) {
    of(ticket.priority()).remove(ticket);
    if (ticket.priority() == Priority.RANGE) {
      narrowFirst.remove(ticket);
    }
  }

  /** Returns all queued tasks, oldest first. */
  List<Ticket> all() {
    List<Ticket> all = new ArrayList<>(size());
    localPoints.addTo(all);
    remotePoints.addTo(all);
    ranges.addTo(all);
    all.sort(Comparator.comparingLong(ticket -> ticket.number));
    return all;
  }

  private ArrivalList of(Priority priority) {
    switch (priority) {
      case LOCAL_POINT:
        return localPoints;
      case REMOTE_POINT:
        return remotePoints;
      case RANGE:
        return ranges;
    }
    throw new AssertionError(priority);
  }

  private static @Nullable Ticket older(@Nullable Ticket a, @Nullable Ticket b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.number < b.number ? a : b;
  }
}
