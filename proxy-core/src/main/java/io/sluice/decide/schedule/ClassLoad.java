package io.sluice.decide.schedule;

/**
 * The reads of one class that are queued and in flight at one node, by number and by predicted
 * work. Not safe for several threads.
 */
final class ClassLoad {
  private int queued;
  private long queuedNanos;
  private int inFlight;
  private long inFlightNanos;

  /** Returns the number of queued reads. */
  int queued() {
    return queued;
  }

  /** Returns the number of reads in flight. */
  int inFlight() {
    return inFlight;
  }

  /** Returns the work in flight, ns. */
  long inFlightNanos() {
    return inFlightNanos;
  }

  /** Returns the work queued and in flight, ns. */
  long nanos() {
    return queuedNanos + inFlightNanos;
  }

  /** Adds a queued read. */
  void enter(QueueEntry entry) {
    queued++;
    queuedNanos += entry.workNanos;
  }

  /** Removes a queued read. */
  void leave(QueueEntry entry) {
    queued--;
    queuedNanos -= entry.workNanos;
  }

  /** Adds a read in flight. */
  void start(QueueEntry entry) {
    inFlight++;
    inFlightNanos += entry.workNanos;
  }

  /** Removes a read in flight. */
  void end(QueueEntry entry) {
    inFlight--;
    inFlightNanos -= entry.workNanos;
  }
}
