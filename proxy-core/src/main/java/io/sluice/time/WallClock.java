package io.sluice.time;

import java.time.Instant;

/** The time of day, for people. Safe for any thread. */
@FunctionalInterface
public interface WallClock {

  /** Now; may jump in either direction. */
  Instant now();
}
