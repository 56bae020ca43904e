package io.sluice.decide.schedule;

import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;
import org.jspecify.annotations.Nullable;

/** The sums of one class of reads at one node. Times are in ns. Not safe for threads. */
final class ClassStats {
  private final DrainRate drain = new DrainRate();
  private @Nullable Demand oldest;
  private @Nullable Demand youngest;
  private int queued;
  private long queuedNanos;
  private int inFlight;
  private long inFlightNanos;
  private long dispatched;
  private long overloaded;
  private long shed;
  private long expired;
  private long cancelled;
  private long moved;
  private long waitNanos;
  private long waitErrorNanos;
  private long longestWait;
  private long longestAt;

  int queued() {
    return queued;
  }

  /** Work waiting, ns. */
  long queuedNanos() {
    return queuedNanos;
  }

  /** Work started and not finished, ns. */
  long inFlightNanos() {
    return inFlightNanos;
  }

  /** The wait that one more read has to expect, ns; 0 while it is not known. */
  double expectedWaitNanos(long now) {
    return drain.waitNanos(queued + 1, now);
  }

  /**
   * The longest wait of late, ns: of the oldest read that waits, or of one started lately, less the
   * time since then, by which the queue may have become shorter.
   */
  long longestWaitNanos(long now) {
    long started = Math.max(0, longestWait - (now - longestAt));
    return oldest == null ? started : Math.max(started, now - oldest.queuedNanos);
  }

  /** A read is queued; one that comes from another node's queue may be the oldest at once. */
  void enter(Demand demand, long now) {
    drain.entered(now);
    demand.expectedNanos = (long) drain.waitNanos(queued + 1, now);
    queued++;
    queuedNanos += demand.workNanos;
    Demand first = oldest;
    if (first == null || demand.queuedNanos < first.queuedNanos) {
      link(null, demand, first);
    } else {
      link(youngest, demand, null);
    }
  }

  /** A read is no longer queued, for whatever reason. */
  void leave(Demand demand, long now) {
    queued--;
    queuedNanos -= demand.workNanos;
    join(demand.older, demand.younger);
    demand.older = null;
    demand.younger = null;
    drain.left(queued > 0, now);
  }

  private void link(@Nullable Demand older, Demand demand, @Nullable Demand younger) {
    join(older, demand);
    join(demand, younger);
  }

  /** Makes two neighbours in the order of arrival; null is the end of the line. */
  private void join(@Nullable Demand older, @Nullable Demand younger) {
    if (older == null) {
      oldest = younger;
    } else {
      older.younger = younger;
    }
    if (younger == null) {
      youngest = older;
    } else {
      younger.older = older;
    }
  }

  void start(Demand demand, long now) {
    long waited = now - demand.queuedNanos;
    inFlight++;
    inFlightNanos += demand.workNanos;
    dispatched++;
    waitNanos += waited;
    waitErrorNanos += Math.abs(waited - demand.expectedNanos);
    if (waited >= Math.max(0, longestWait - (now - longestAt))) {
      longestWait = waited;
      longestAt = now;
    }
  }

  void end(long workNanos) {
    inFlight--;
    inFlightNanos -= workNanos;
  }

  void overload() {
    overloaded++;
  }

  void shed() {
    shed++;
  }

  void expire() {
    expired++;
  }

  void cancel() {
    cancelled++;
  }

  void move() {
    moved++;
  }

  ClassState state(long now) {
    return new ClassState(
        queued,
        inFlight,
        dispatched,
        overloaded,
        shed,
        expired,
        cancelled,
        moved,
        waitNanos,
        waitErrorNanos,
        queued == 0 ? 0 : (long) expectedWaitNanos(now));
  }
}
