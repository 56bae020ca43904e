package io.sluice.decide.predict;

import java.util.Arrays;

/**
 * The rows of a table as one proxy has learned them, small enough to be told to others. Immutable.
 *
 * <p>The ring is kept in {@value #PARTS} equal parts. Of each it has the rows of the whole part, by
 * what was read of it, and how much of it that was.
 */
final class DensitySummary {

  static final int PARTS = 32;

  /** A part of which so much was read is known. */
  private static final double MOSTLY = 0.5;

  private static final int BUCKETS = RingBuckets.COUNT / PARTS;

  /**
   * What holds for all of the table.
   *
   * @param bytesPerRow mean size of a row in an answer, in bytes; 0 when it is not known
   * @param largeRowBytes the same where rows are large
   * @param ratioSeen how much of the ring was read while nodes had counted it, 0 to 1
   * @param ratioRows the rows of that
   * @param ratioPartitions the partitions of that, as nodes had counted them
   * @param counted partitions in all, as nodes had counted them; 0 when they had not
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
   * The summary of a density.
   *
   * @param rows by bucket, of as much of it as was read
   * @param read how much of each bucket was read, 0 to 1
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
   * The summary that was told.
   *
   * @param density rows of each part
   * @param seen how much of each part was read, 0 to 1
   * @throws IllegalArgumentException when no density is like that
   */
  static DensitySummary told(long ageSeconds, Totals totals, double[] density, double[] seen) {
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

  /** How long ago the last of it was learned. */
  long ageSeconds() {
    return ageSeconds;
  }

  Totals totals() {
    return totals;
  }

  /** Rows of a whole part. */
  double density(int part) {
    return density[part];
  }

  /** How much of a part was read, 0 to 1. */
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
   * This one with what it lacks from an older one: the parts that it has not read, or less of than
   * the older one and not most of. Nothing is added up, for both may come from one reading.
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

  /** Rows by bucket, of as much of it as was read. */
  double[] rowsByBucket() {
    double[] rows = new double[RingBuckets.COUNT];
    Arrays.setAll(rows, i -> density[i / BUCKETS] / BUCKETS * seen[i / BUCKETS]);
    return rows;
  }

  /** How much of each bucket was read, 0 to 1. */
  double[] seenByBucket() {
    double[] read = new double[RingBuckets.COUNT];
    Arrays.setAll(read, i -> seen[i / BUCKETS]);
    return read;
  }
}
