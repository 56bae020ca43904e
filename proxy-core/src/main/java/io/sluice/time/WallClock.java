package io.sluice.time;

import java.time.Instant;

/** A clock for the time of day, as people read it. Safe for any thread. */
@FunctionalInterface
public interface WallClock {

  /** Returns the current time, which may jump in either direction. */
  Instant now();
}
