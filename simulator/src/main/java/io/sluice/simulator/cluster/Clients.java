package io.sluice.simulator.cluster;

import io.sluice.simulator.event.VirtualTime;
import java.util.SplittableRandom;

/** Sends reads and counts the answers. Not safe for several threads. */
final class Clients {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Closed-loop clients start over this time. */
  private static final long ARRIVAL_NANOS = 10_000_000;

  /** Closed-loop clients pause after an error. */
  private static final long PAUSE_NANOS = 20_000_000;

  private final SimCluster cluster;
  private final VirtualTime time;
  private final Target target;
  private final Workload workload;
  private final ClusterSetting.Load load;

  Clients(SimCluster cluster, Target target, ClusterSetting.Load load, SplittableRandom random) {
    this.cluster = cluster;
    this.time = cluster.time();
    this.target = target;
    this.load = load;
    this.workload = new Workload(load, random);
  }

  void start(SplittableRandom random) {
    for (int client = 0; client < load.clients(); client++) {
      Loop loop = new Loop(client, random.split());
      time.after(random.nextLong(ARRIVAL_NANOS), loop::next);
    }
    if (load.clients() == 0) {
      new Arrivals(true, load.rate() * load.pointShare(), random.split()).plan();
      new Arrivals(false, load.rate() * (1 - load.pointShare()), random.split()).plan();
    }
  }

  private void send(int client, Read read, Runnable answered, Runnable failed) {
    long asked = time.nanoTime();
    Answer answer =
        new Answer() {
          @Override
          public void rows(long count) {
            cluster.meter().answered(read, asked, count);
            answered.run();
          }

          @Override
          public void failed(Failure failure) {
            cluster.meter().failed(read, failure);
            failed.run();
          }
        };
    cluster.send(() -> target.send(client, read, answer));
  }

  /** A client that sends its next read when the last one is answered. */
  private final class Loop {
    private final int client;
    private final SplittableRandom random;

    Loop(int client, SplittableRandom random) {
      this.client = client;
      this.random = random;
    }

    void next() {
      send(client, workload.next(random), this::next, () -> time.after(PAUSE_NANOS, this::next));
    }
  }

  /** Requests that arrive by a Poisson process. */
  private final class Arrivals {
    private final boolean point;
    private final double perSecond;
    private final SplittableRandom random;
    private int sent;

    Arrivals(boolean point, double perSecond, SplittableRandom random) {
      this.point = point;
      this.perSecond = perSecond;
      this.random = random;
    }

    void plan() {
      if (perSecond > 0) {
        double wait = -Math.log(1 - random.nextDouble()) / perSecond;
        time.after((long) (wait * NANOS_PER_SECOND), this::arrive);
      }
    }

    private void arrive() {
      send(sent++, workload.next(point, random), () -> {}, () -> {});
      plan();
    }
  }
}
