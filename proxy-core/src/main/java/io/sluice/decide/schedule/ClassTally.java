package io.sluice.decide.schedule;

import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;

/** The sums of one class of reads at one node. Not safe for threads. */
final class ClassTally {
  private static final double WAIT_PACE = 0.1;

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
  private double recentWait;

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

  /** How long those started lately had waited, ns; 0 while none waits. */
  double recentWaitNanos() {
    return queued == 0 ? 0 : recentWait;
  }

  void enter(long workNanos) {
    queued++;
    queuedNanos += workNanos;
  }

  void leave(long workNanos) {
    queued--;
    queuedNanos -= workNanos;
  }

  void start(long workNanos, long waited) {
    inFlight++;
    inFlightNanos += workNanos;
    dispatched++;
    waitNanos += waited;
    recentWait = queued == 0 ? 0 : recentWait + WAIT_PACE * (waited - recentWait);
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

  ClassState state() {
    return new ClassState(
        queued, inFlight, dispatched, overloaded, shed, expired, cancelled, moved, waitNanos);
  }
}
