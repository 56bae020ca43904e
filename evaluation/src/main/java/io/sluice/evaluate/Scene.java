package io.sluice.evaluate;

import io.sluice.evaluate.bed.TestBed;
import io.sluice.evaluate.drive.LoadTime;
import io.sluice.evaluate.drive.Observed;

/**
 * One load, which every target is put under.
 *
 * @param group kind of the requests, such as a mix
 * @param load amount of requests, or their consistency level
 * @param time length of the load
 * @param play puts a target under the load
 */
record Scene(String group, String load, LoadTime time, Play play) {
  /** Puts a target under the load. Equal seeds give equal requests. */
  interface Play {
    Observed on(TestBed.Target target, LoadTime time, long seed) throws InterruptedException;
  }
}
