package io.sluice.evaluate;

import io.sluice.evaluate.bed.TestBed;
import io.sluice.evaluate.drive.LoadTime;
import io.sluice.evaluate.drive.Observed;
import java.util.Map;

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
    Played on(TestBed.Target target, LoadTime time, long seed) throws InterruptedException;
  }

  /**
   * The observations of a load.
   *
   * @param observed those of its own clients
   * @param beside those of other clients at the same time, by the name of their load
   */
  record Played(Observed observed, Map<String, Observed> beside) {
    /** Returns the observations of a load without another one beside it. */
    static Played alone(Observed observed) {
      return new Played(observed, Map.of());
    }
  }

  /** Returns the load beside this one that has this name, with the same group and time. */
  Scene beside(String name) {
    return new Scene(group, name, time, play);
  }
}
