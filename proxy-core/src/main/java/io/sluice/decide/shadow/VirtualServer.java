package io.sluice.decide.shadow;

import io.sluice.decide.schedule.SchedulerWitness.Answer;

/**
 * The model of a node, which decides when reads end. Times are in ns; {@code now} never decreases.
 * Not safe for several threads.
 */
interface VirtualServer {

  /** The time of an event that never happens. */
  long NEVER = Long.MAX_VALUE;

  /** Starts a read. */
  void start(VirtualRead read, long now);

  /** Changes the work of a running read. */
  void restate(VirtualRead read, double workNanos, long now);

  /** Stops a read. */
  void stop(VirtualRead read, long now);

  /** Returns when the next read ends if nothing else happens; {@link #NEVER} if none runs. */
  long nextEnd();

  /** Removes and returns the read that ends at {@link #nextEnd}. */
  VirtualRead end(long now);

  /** Adds an answer of the real node. */
  void seen(Answer answer, long now);
}
