package io.sluice.link;

import io.sluice.time.Lane;
import java.util.concurrent.TimeUnit;

/**
 * The pauses between failures in a row to open a link. Each is longer than the one before. Not safe
 * for several threads: one lane.
 */
final class Backoff {

  private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(2);

  /** After this many failures in a row the node may be gone for good. */
  private static final int GIVE_UP_AFTER = 60;

  private final Lane lane;
  private final Runnable ended;
  private boolean paused;
  private int failures;

  /**
   * Creates a backoff without failures.
   *
   * @param ended called at the end of each pause
   */
  Backoff(Lane lane, Runnable ended) {
    this.lane = lane;
    this.ended = ended;
  }

  /** Counts a failure. Returns whether it is the first in a row. */
  boolean failed() {
    return failures++ == 0;
  }

  /** Counts a success. Returns whether a failure came before. */
  boolean succeeded() {
    boolean failedBefore = failures > 0;
    failures = 0;
    return failedBefore;
  }

  /** Begins the pause after the last failure. Called after the first failure at the earliest. */
  void pause() {
    paused = true;
    long nanos = Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(failures - 1, 10));
    lane.schedule(nanos, this::end);
  }

  private void end() {
    paused = false;
    ended.run();
  }

  boolean isPaused() {
    return paused;
  }

  /** Whether there were so many failures in a row that another attempt is probably useless. */
  boolean isHopeless() {
    return failures > GIVE_UP_AFTER;
  }
}
