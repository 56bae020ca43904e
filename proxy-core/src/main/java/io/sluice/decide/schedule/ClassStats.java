package io.sluice.decide.schedule;

import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;

/**
 * The counters of one class of reads at one node. Times are in ns. Not safe for several threads.
 */
final class ClassStats {
  private final ClassLoad load = new ClassLoad();
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

  /** Returns what is queued and in flight now. */
  ClassLoad load() {
    return load;
  }

  /** Counts a read as started. */
  void start(QueueEntry entry, long now) {
    long waited = entry.waitedNanos(now);
    load.start(entry);
    dispatched++;
    waitNanos += waited;
    waitErrorNanos += Math.abs(waited - entry.expectedNanos);
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

  /**
   * Returns the current state, with the waits of the slots that the class usually takes.
   *
   * @param lastWaits those of the reads that are queued last, which the expected wait does not
   *     count
   */
  ClassState state(WaitStats waits, WaitStats lastWaits, long now) {
    return new ClassState(
        load.queued(),
        load.inFlight(),
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
        load.queued() == 0 ? 0 : (long) waits.expectedWaitNanos(now),
        Math.max(waits.oldestWaitNanos(now), lastWaits.oldestWaitNanos(now)));
  }
}
