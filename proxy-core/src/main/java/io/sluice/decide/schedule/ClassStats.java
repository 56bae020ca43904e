package io.sluice.decide.schedule;

import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;
import org.jspecify.annotations.Nullable;

/** The sums of one class of reads at one node. Times are in ns. Not safe for several threads. */
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

  /** Started and not finished. */
  int inFlight() {
    return inFlight;
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

  /** A read is no longer queued, for whatever reason. */
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

  /** Makes two neighbours in the order of arrival; null is the end of the line. */
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

  /** A node has answered: the work that was predicted, and the work that there was. */
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
