package io.sluice.decide.schedule;

import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one class of reads at one node. Times are in ns. Not safe for several threads.
 */
final class ClassStats {
  private final DrainRate drain = new DrainRate();
  private @Nullable QueueEntry oldest;
  private @Nullable QueueEntry youngest;
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
  private double predictedNanos;
  private double doneNanos;
  private long longestWait;
  private long longestAt;

  int queued() {
    return queued;
  }

  /** Returns the number of reads in flight. */
  int inFlight() {
    return inFlight;
  }

  /** Returns the queued work, ns. */
  long queuedNanos() {
    return queuedNanos;
  }

  /** Returns the work in flight, ns. */
  long inFlightNanos() {
    return inFlightNanos;
  }

  /** Returns the wait that one more read has to expect, ns; 0 while it is unknown. */
  double expectedWaitNanos(long now) {
    return drain.waitNanos(queued + 1, now);
  }

  /**
   * Returns the longest recent wait, ns: that of the oldest queued read, or of a read started
   * recently. The latter is reduced by the time since that start, because the queue may be shorter
   * by now.
   */
  long longestWaitNanos(long now) {
    long started = Math.max(0, longestWait - (now - longestAt));
    return oldest == null ? started : Math.max(started, now - oldest.queuedNanos);
  }

  /**
   * Counts a read as queued. A read that moves here from another node's queue may be the oldest at
   * once.
   */
  void enter(QueueEntry entry, long now) {
    drain.entered(now);
    entry.expectedNanos = (long) drain.waitNanos(queued + 1, now);
    queued++;
    queuedNanos += entry.workNanos;
    QueueEntry first = oldest;
    if (first == null || entry.queuedNanos < first.queuedNanos) {
      link(null, entry, first);
    } else {
      link(youngest, entry, null);
    }
  }

  /** Counts a read as no longer queued, for whatever reason. */
  void leave(QueueEntry entry, long now) {
    queued--;
    queuedNanos -= entry.workNanos;
    join(entry.older, entry.younger);
    entry.older = null;
    entry.younger = null;
    drain.left(queued > 0, now);
  }

  private void link(@Nullable QueueEntry older, QueueEntry entry, @Nullable QueueEntry younger) {
    join(older, entry);
    join(entry, younger);
  }

  /** Links two neighbours in the order of arrival. Null is the end of the list. */
  private void join(@Nullable QueueEntry older, @Nullable QueueEntry younger) {
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

  void start(QueueEntry entry, long now) {
    long waited = now - entry.queuedNanos;
    inFlight++;
    inFlightNanos += entry.workNanos;
    dispatched++;
    waitNanos += waited;
    waitErrorNanos += Math.abs(waited - entry.expectedNanos);
    if (waited >= Math.max(0, longestWait - (now - longestAt))) {
      longestWait = waited;
      longestAt = now;
    }
  }

  void end(long workNanos) {
    inFlight--;
    inFlightNanos -= workNanos;
  }

  /** Adds an answer of the node: the predicted work and the actual work. */
  void answered(double predicted, double done) {
    predictedNanos += predicted;
    doneNanos += done;
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
        predictedNanos,
        doneNanos,
        queued == 0 ? 0 : (long) expectedWaitNanos(now),
        oldest == null ? 0 : now - oldest.queuedNanos);
  }
}
