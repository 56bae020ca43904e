package io.sluice.evaluate;

import io.sluice.evaluate.bed.TestBed;
import io.sluice.evaluate.drive.LoadTime;
import io.sluice.evaluate.drive.Observed;

/**
 * One load that every target is put under.
 *
 * @param group what is asked for, such as a mix
 * @param load how much of it, or at which level
 * @param time how long it is measured
 * @param play puts one target under it
 */
record Scene(String group, String load, LoadTime time, Play play) {
  /** Puts a target under the load; the same seed asks for the same. */
  interface Play {
    Observed on(TestBed.Target target, LoadTime time, long seed) throws InterruptedException;
  }

  /** How long a step of it runs. */
  LoadTime time(Step step) {
    return step.warmsUp() ? time.warmUp() : time;
  }
}
