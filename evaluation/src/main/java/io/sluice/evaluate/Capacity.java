package io.sluice.evaluate;

import io.sluice.evaluate.bed.TestBed;
import io.sluice.evaluate.drive.Check;
import io.sluice.evaluate.drive.ClosedLoop;
import io.sluice.evaluate.drive.LoadTime;
import io.sluice.evaluate.drive.Mix;
import io.sluice.evaluate.drive.Observed;
import io.sluice.evaluate.drive.RequestClass;
import io.sluice.evaluate.drive.Tables;

/**
 * Finds the capacity of the first target: the requests a second that it answers in a closed loop.
 */
final class Capacity {
  private static final int PROBING_CLIENTS = 32;
  private static final int MAX_PROBES = 8;

  /** The search continues while a load reaches at least a tenth more than the best one before. */
  private static final double FASTER = 1.1;

  private final LoadTime time;
  private final long seed;

  /** Creates a search that uses loads of the same length as the measurement. */
  Capacity(BedOptions options) {
    this.time = options.time();
    this.seed = options.seed();
  }

  /**
   * Returns the first target's capacity. Puts all targets under the load, because all have just
   * started and must warm up.
   */
  double of(TestBed bed, Mix mix) throws InterruptedException {
    return search(
        () -> {
          double first = perSecond(bed.targets().get(0), mix);
          for (TestBed.Target other : bed.targets().subList(1, bed.targets().size())) {
            perSecond(other, mix);
          }
          return first;
        });
  }

  /** One load on all targets. */
  interface Probe {
    /** Returns the answers a second of the first target. */
    double perSecond() throws InterruptedException;
  }

  /** Returns the largest number of answers a second; at least 1. */
  static double search(Probe probe) throws InterruptedException {
    double best = 1;
    for (int probes = 0; probes < MAX_PROBES; probes++) {
      double before = best;
      best = Math.max(best, probe.perSecond());
      if (best < FASTER * before) {
        break;
      }
    }
    return best;
  }

  private double perSecond(TestBed.Target target, Mix mix) throws InterruptedException {
    Observed seen =
        new ClosedLoop(target.tables().mix(mix, Tables.Levels.ONE, Check.COUNTS))
            .run(PROBING_CLIENTS, time, seed);
    long answered = 0;
    for (RequestClass of : RequestClass.values()) {
      answered += seen.of(of).inTime();
    }
    return answered / time.seconds();
  }
}
