package io.sluice.decide.schedule;

import io.sluice.decide.schedule.SchedulerSnapshot.ClassState;

/** The sums of one class of reads at one node. Not safe for threads. */
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

  /**
   * The longest that one started lately had waited, ns, less the time since then: a queue may have
   * become so much shorter, not more.
   */
  long longestWaitNanos(long now) {
    return Math.max(0, longestWait - (now - longestAt));
  }

  void enter(long workNanos) {
    queued++;
    queuedNanos += workNanos;
  }

  void leave(long workNanos) {
    queued--;
    queuedNanos -= workNanos;
  }

  void start(long workNanos, long waited, long now) {
    inFlight++;
    inFlightNanos += workNanos;
    dispatched++;
    waitNanos += waited;
    if (waited >= longestWaitNanos(now)) {
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

  ClassState state() {
    return new ClassState(
        queued, inFlight, dispatched, overloaded, shed, expired, cancelled, moved, waitNanos);
  }
}
