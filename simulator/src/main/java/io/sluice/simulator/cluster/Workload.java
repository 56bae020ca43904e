package io.sluice.simulator.cluster;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The sequence of clients' reads. The popularity of keys follows Zipf's law, and keys lie anywhere
 * on the ring. Not safe for several threads.
 */
final class Workload {
  private static final int KEYS = 100_000;

  private final ClusterSetting.Load load;
  private final double[] upTo;
  private final long salt;

  Workload(ClusterSetting.Load load, SplittableRandom random) {
    this.load = load;
    this.upTo = load.skew() > 0 ? popularity(load.skew()) : new double[0];
    this.salt = random.nextLong();
  }

  Read next(SplittableRandom random) {
    return next(random.nextDouble() < load.pointShare(), random);
  }

  Read next(boolean point, SplittableRandom random) {
    long token = token(random);
    int limit = point ? 1 : limit(random);
    return new Read(point, token, limit, load.tables() == 1 ? 0 : random.nextInt(load.tables()));
  }

  private int limit(SplittableRandom random) {
    return load.smallShare() > 0 && random.nextDouble() < load.smallShare()
        ? random.nextInt(1, load.smallLimit() + 1)
        : random.nextInt(load.minLimit(), load.maxLimit() + 1);
  }

  private long token(SplittableRandom random) {
    long token = random.nextLong();
    if (upTo.length > 0) {
      int at = Arrays.binarySearch(upTo, random.nextDouble() * upTo[KEYS - 1]);
      token = mixed(salt + (at >= 0 ? at : -at - 1));
    }
    return Math.max(token, Long.MIN_VALUE + 1);
  }

  private static double[] popularity(double skew) {
    double[] upTo = new double[KEYS];
    double sum = 0;
    for (int rank = 0; rank < KEYS; rank++) {
      sum += Math.pow(rank + 1, -skew);
      upTo[rank] = sum;
    }
    return upTo;
  }

  /** Scatters neighbours over all longs (the finaliser of SplitMix64). */
  private static long mixed(long value) {
    return new SplittableRandom(value).nextLong();
  }
}
