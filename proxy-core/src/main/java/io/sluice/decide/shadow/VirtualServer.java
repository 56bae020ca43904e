package io.sluice.decide.shadow;

import io.sluice.decide.schedule.SchedulerWitness.Answer;

/**
 * The model of a node: it says when the reads that it was given end. Times are in ns; {@code now}
 * never falls. Not safe for several threads.
 */
interface VirtualServer {

  /** The time of what does not happen. */
  long NEVER = Long.MAX_VALUE;

  /** Begins to work on a read. */
  void start(VirtualRead read, long now);

  /** The work in a read that it works on turned out to be another. */
  void restate(VirtualRead read, double workNanos, long now);

  /** Stops to work on a read. */
  void stop(VirtualRead read, long now);

  /** When the next read will be done, if nothing else happens; {@link #NEVER} when none runs. */
  long nextEnd();

  /** Takes out the read that is done at {@link #nextEnd}. */
  VirtualRead end(long now);

  /** The real node has answered something. */
  void seen(Answer answer, long now);
}
