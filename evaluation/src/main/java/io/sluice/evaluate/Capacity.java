package io.sluice.evaluate;

import io.sluice.evaluate.bed.TestBed;
import io.sluice.evaluate.drive.Check;
import io.sluice.evaluate.drive.ClosedLoop;
import io.sluice.evaluate.drive.LoadTime;
import io.sluice.evaluate.drive.Mix;
import io.sluice.evaluate.drive.Observed;
import io.sluice.evaluate.drive.RequestClass;
import io.sluice.evaluate.drive.Tables;

/** The requests a second that the first target answers when some clients always have one sent. */
final class Capacity {
  private static final int PROBING_CLIENTS = 32;
  private static final int MOST_PROBES = 8;

  /** A gain of a tenth from one probe to the next means that more may come. */
  private static final double FASTER = 1.1;

  private final LoadTime time;
  private final long seed;

  /** Found with loads of the length that is measured with. */
  Capacity(BedOptions options) {
    this.time = options.time();
    this.seed = options.seed();
  }

  /** Asks all targets, for all of them have just been started; the first one's answers count. */
  double of(TestBed bed, Mix mix) throws InterruptedException {
    double best = 1;
    for (int probes = 0; probes < MOST_PROBES; probes++) {
      double before = best;
      best = Math.max(best, perSecond(bed.targets().get(0), mix));
      for (TestBed.Target other : bed.targets().subList(1, bed.targets().size())) {
        perSecond(other, mix);
      }
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
