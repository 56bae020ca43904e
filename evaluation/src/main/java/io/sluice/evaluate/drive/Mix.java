package io.sluice.evaluate.drive;

import java.util.Properties;
import java.util.SplittableRandom;

/**
 * The mix of requests that clients send, as in YCSB's workload files.
 *
 * @param singles share of reads by key
 * @param ranges share of range reads
 * @param writes share of writes
 * @param maxLimit largest LIMIT of range reads; limits are uniform from 1 to this
 * @param skewed whether keys follow YCSB's scrambled Zipf distribution instead of a uniform one
 */
public record Mix(double singles, double ranges, double writes, int maxLimit, boolean skewed) {
  /** Checks the ranges of shares and limit. */
  public Mix {
    if (singles < 0 || ranges < 0 || writes < 0 || !(singles + ranges + writes > 0)) {
      throw new IllegalArgumentException("shares of requests: at least one above 0, none below");
    }
    if (maxLimit < 1 || maxLimit > 100_000) {
      throw new IllegalArgumentException("maxscanlength: 1 to 100000");
    }
  }

  /**
   * Returns the mix of a YCSB workload. Updates and inserts are writes of whole rows.
   *
   * @throws IllegalArgumentException if the workload has another distribution of keys, or requests
   *     that read and then write
   */
  public static Mix of(Properties workload) {
    String distribution = workload.getProperty("requestdistribution", "uniform");
    if (!distribution.equals("uniform") && !distribution.equals("zipfian")) {
      throw new IllegalArgumentException(
          "requestdistribution: uniform or zipfian, not " + distribution);
    }
    if (share(workload, "readmodifywriteproportion", "0") != 0) {
      throw new IllegalArgumentException("readmodifywriteproportion: only 0");
    }
    return new Mix(
        share(workload, "readproportion", "0.95"),
        share(workload, "scanproportion", "0"),
        share(workload, "updateproportion", "0.05") + share(workload, "insertproportion", "0"),
        Integer.parseInt(workload.getProperty("maxscanlength", "1000")),
        distribution.equals("zipfian"));
  }

  /** Returns a copy with another largest LIMIT. */
  public Mix withMaxLimit(int rows) {
    return new Mix(singles, ranges, writes, rows, skewed);
  }

  /** Returns the share of the class among all requests, 0 to 1. */
  public double share(RequestClass of) {
    double part =
        switch (of) {
          case SINGLE -> singles;
          case RANGE -> ranges;
          case WRITE -> writes;
          case LIST, SCAN, COUNT, NARROW, WIDE -> 0;
        };
    return part / (singles + ranges + writes);
  }

  /** Draws a class by its share. */
  RequestClass draw(SplittableRandom random) {
    double point = random.nextDouble();
    if (point < share(RequestClass.SINGLE)) {
      return RequestClass.SINGLE;
    }
    return point < 1 - share(RequestClass.WRITE) ? RequestClass.RANGE : RequestClass.WRITE;
  }

  private static double share(Properties workload, String name, String otherwise) {
    return Double.parseDouble(workload.getProperty(name, otherwise));
  }
}
