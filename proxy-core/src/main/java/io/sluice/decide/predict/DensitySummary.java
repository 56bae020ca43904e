package io.sluice.decide.predict;

import java.util.Arrays;

/**
 * The density of a table as one proxy has learned it, small enough to send to others. Immutable.
 *
 * <p>The ring is kept in {@value #PARTS} equal parts. For each part the summary has the estimated
 * rows of the whole part and the share of it that was read.
 */
final class DensitySummary {

  static final int PARTS = 32;

  /** A part is known if at least this share of it was read. */
  private static final double MOSTLY = 0.5;

  private static final int BUCKETS = RingBuckets.COUNT / PARTS;

  /**
   * The values of the whole table.
   *
   * @param bytesPerRow mean size of a row in an answer, in bytes; 0 when unknown
   * @param largeRowBytes the size of a row where rows are large; 0 when unknown
   * @param ratioSeen share of the ring that was read while counts of the nodes were known, 0 to 1
   * @param ratioRows the rows of that share
   * @param ratioPartitions the partitions of that share, as counted by nodes
   * @param counted partitions in all, as counted by nodes; 0 without counts
   */
  record Totals(
      double bytesPerRow,
      double largeRowBytes,
      double ratioSeen,
      double ratioRows,
      double ratioPartitions,
      double counted) {

    boolean isValid() {
      return isCount(bytesPerRow)
          && isCount(largeRowBytes)
          && isCount(ratioRows)
          && isCount(ratioPartitions)
          && isCount(counted)
          && ratioSeen >= 0
          && ratioSeen <= 1;
    }
  }

  private final long ageSeconds;
  private final Totals totals;
  private final double[] density;
  private final double[] seen;

  private DensitySummary(long ageSeconds, Totals totals, double[] density, double[] seen) {
    this.ageSeconds = ageSeconds;
    this.totals = totals;
    this.density = density;
    this.seen = seen;
  }

  /**
   * Summarizes a density.
   *
   * @param rows rows per bucket, of the part of it that was read
   * @param read share of each bucket that was read, 0 to 1
   */
  static DensitySummary of(double[] rows, double[] read, Totals totals, long ageSeconds) {
    double[] density = new double[PARTS];
    double[] seen = new double[PARTS];
    for (int part = 0; part < PARTS; part++) {
      double found = 0;
      double width = 0;
      for (int i = part * BUCKETS; i < (part + 1) * BUCKETS; i++) {
        found += rows[i];
        width += read[i];
      }
      density[part] = width > 0 ? found / width * BUCKETS : 0;
      seen[part] = width / BUCKETS;
    }
    return new DensitySummary(ageSeconds, totals, density, seen);
  }

  /**
   * Creates a summary from values of another proxy.
   *
   * @param density rows of each part
   * @param seen share of each part that was read, 0 to 1
   * @throws IllegalArgumentException if no density has these values
   */
  static DensitySummary received(long ageSeconds, Totals totals, double[] density, double[] seen) {
    boolean valid =
        ageSeconds >= 0
            && totals.isValid()
            && Arrays.stream(density).allMatch(DensitySummary::isCount)
            && Arrays.stream(seen).allMatch(part -> part >= 0 && part <= 1);
    if (!valid) {
      throw new IllegalArgumentException("no density");
    }
    return new DensitySummary(ageSeconds, totals, density.clone(), seen.clone());
  }

  private static boolean isCount(double value) {
    return value >= 0 && value <= Long.MAX_VALUE;
  }

  /** Returns the time since the last of it was learned. */
  long ageSeconds() {
    return ageSeconds;
  }

  Totals totals() {
    return totals;
  }

  /** Returns the rows of a whole part. */
  double density(int part) {
    return density[part];
  }

  /** Returns the share of a part that was read, 0 to 1. */
  double seen(int part) {
    return seen[part];
  }

  /** Whether anything was read. */
  boolean isKnown() {
    return Arrays.stream(seen).anyMatch(part -> part > 0);
  }

  DensitySummary older(long seconds) {
    return new DensitySummary(ageSeconds + Math.max(0, seconds), totals, density, seen);
  }

  /**
   * Returns this summary, completed from an older one. A part comes from the older summary if it
   * was read less here than there, and less than mostly. Nothing is added up, because both may come
   * from the same answers.
   */
  DensitySummary over(DensitySummary old) {
    double[] rows = density.clone();
    double[] read = seen.clone();
    for (int part = 0; part < PARTS; part++) {
      if (seen[part] < Math.min(MOSTLY, old.seen[part])) {
        rows[part] = old.density[part];
        read[part] = old.seen[part];
      }
    }
    Totals both =
        new Totals(
            totals.bytesPerRow > 0 ? totals.bytesPerRow : old.totals.bytesPerRow,
            totals.largeRowBytes > 0 ? totals.largeRowBytes : old.totals.largeRowBytes,
            ratios(old).ratioSeen,
            ratios(old).ratioRows,
            ratios(old).ratioPartitions,
            totals.counted > 0 ? totals.counted : old.totals.counted);
    return new DensitySummary(ageSeconds, both, rows, read);
  }

  private Totals ratios(DensitySummary old) {
    return totals.ratioSeen > 0 ? totals : old.totals;
  }

  /** Returns the rows per bucket, of the part of it that was read. */
  double[] rowsByBucket() {
    double[] rows = new double[RingBuckets.COUNT];
    Arrays.setAll(rows, i -> density[i / BUCKETS] / BUCKETS * seen[i / BUCKETS]);
    return rows;
  }

  /** Returns the share of each bucket that was read, 0 to 1. */
  double[] seenByBucket() {
    double[] read = new double[RingBuckets.COUNT];
    Arrays.setAll(read, i -> seen[i / BUCKETS]);
    return read;
  }
}
