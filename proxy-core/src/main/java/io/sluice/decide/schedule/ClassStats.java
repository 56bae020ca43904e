package io.sluice.decide.schedule;

import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;

/**
 * The counters of one class of reads at one node. Times are in ns. Not safe for several threads.
 */
final class ClassStats {
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

  /** Counts a read as queued. */
  void enter(QueueEntry entry) {
    queued++;
    queuedNanos += entry.workNanos;
  }

  /** Counts a read as no longer queued, for whatever reason. */
  void leave(QueueEntry entry) {
    queued--;
    queuedNanos -= entry.workNanos;
  }

  void start(QueueEntry entry, long now) {
    long waited = now - entry.queuedNanos;
    inFlight++;
    inFlightNanos += entry.workNanos;
    dispatched++;
    waitNanos += waited;
    waitErrorNanos += Math.abs(waited - entry.expectedNanos);
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

  /** Returns the current state, with the waits of the slots that the class usually takes. */
  ClassState state(WaitStats waits, long now) {
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
        queued == 0 ? 0 : (long) waits.expectedWaitNanos(now),
        waits.oldestWaitNanos(now));
  }
}
