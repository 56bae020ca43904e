package io.sluice.decide.predict;

import io.sluice.ring.TokenRange;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The distribution of rows over the ring, learned from answers. Pure. Not safe for several threads.
 *
 * <p>The ring is kept in buckets. A bucket remembers as many reads as cover it once: further reads
 * displace earlier ones in equal measure. A range that was just read whole is thus estimated as its
 * actual rows. A table that grows or shrinks is followed at the speed at which it is read, and
 * small samples add up.
 *
 * <p>For the unread part of a bucket, the estimate is the posterior mean of a Poisson process whose
 * rate is gamma distributed around a prior. The prior is the nodes' count of partitions there times
 * the rows per counted partition found so far, or without counts the mean of all reads.
 */
final class LearnedRows {

  /** Rows of a bucket that weigh as much as its prior. */
  private static final double PRIOR_ROWS = 2;

  /** Largest factor by which newer counts of the nodes change the learned rows. */
  private static final double MAX_GROWTH = 2;

  /** Counts this many times as large as all that was known show that a table has been loaded. */
  private static final double LOADED = 10;

  /** A range narrower than this, in buckets, shows no density. */
  private static final double NARROWEST = RingBuckets.COUNT * 0x1p-40;

  private final double[] rows = new double[RingBuckets.COUNT];
  private final double[] seen = new double[RingBuckets.COUNT];
  private final OrderedRows ordered = new OrderedRows();
  private double mean = Double.NaN;
  private double ratioSeen;
  private double ratioRows;
  private double ratioPartitions;
  private PublishedPartitions published = PublishedPartitions.NONE;

  /** The nodes' total count to which rows are adjusted; 0 without one. */
  private double counted;

  /** The least total count of the nodes since the last read. */
  private double leastCounted;

  /** Creates an instance from the summary of another proxy. */
  static LearnedRows of(DensitySummary summary) {
    LearnedRows learned = new LearnedRows();
    System.arraycopy(summary.rowsByBucket(), 0, learned.rows, 0, RingBuckets.COUNT);
    System.arraycopy(summary.seenByBucket(), 0, learned.seen, 0, RingBuckets.COUNT);
    learned.mean = Arrays.stream(learned.rows).sum() / Arrays.stream(learned.seen).sum();
    DensitySummary.Totals totals = summary.totals();
    learned.ratioSeen = totals.ratioSeen();
    learned.ratioRows = totals.ratioRows();
    learned.ratioPartitions = totals.ratioPartitions();
    learned.counted = totals.counted();
    learned.leastCounted = totals.counted();
    return learned;
  }

  /** Returns a summary for other proxies; null for keys in byte order. */
  @Nullable DensitySummary summary(double bytesPerRow, double largeRowBytes, long ageSeconds) {
    return Double.isNaN(mean)
        ? null
        : DensitySummary.of(
            rows,
            seen,
            new DensitySummary.Totals(
                bytesPerRow, largeRowBytes, ratioSeen, ratioRows, ratioPartitions, counted),
            ageSeconds);
  }

  /**
   * Whether the nodes count far more partitions than there were rows, and than they have counted
   * since the last read. A table that was read while it was empty, and loaded then, shows nothing
   * of what it holds now. A flush of a memtable does not look like this, because its rows have been
   * read.
   */
  boolean isOutgrown(PublishedPartitions now) {
    double rowsSeen = Double.isNaN(mean) ? Double.POSITIVE_INFINITY : mean * RingBuckets.COUNT;
    return now.known() && now.total() > LOADED * Math.max(1, Math.max(leastCounted, rowsSeen));
  }

  /**
   * Adjusts to newer counts of the nodes. Rows grow or shrink like the counts, but at most by a
   * factor of two for each publication: when a memtable is flushed to disk, counts jump while rows
   * do not.
   */
  void follow(PublishedPartitions now) {
    if (now == published) {
      return;
    }
    published = now;
    leastCounted = Math.min(leastCounted, now.total());
    if (!now.known()) {
      return;
    }
    if (counted > 0) {
      double growth = now.total() / counted;
      double factor = Math.max(1 / MAX_GROWTH, Math.min(MAX_GROWTH, growth));
      Arrays.setAll(rows, i -> rows[i] * factor);
      mean *= factor;
      counted *= factor;
    } else {
      counted = now.total();
    }
  }

  /**
   * Learns that all rows in {@code range} were read.
   *
   * @return whether anything was learned
   */
  boolean learn(TokenRange range, long count) {
    double start = RingBuckets.start(range);
    double end = RingBuckets.end(range);
    double width = end - start;
    if (Double.isNaN(width)) {
      ordered.learn(range, count);
      return true;
    } else if (width < NARROWEST) {
      return false;
    }
    for (int i = RingBuckets.at(start); i <= RingBuckets.at(end); i++) {
      double part = RingBuckets.overlap(i, start, end);
      double keep = keep(seen[i], part);
      rows[i] = rows[i] * keep + count * part / width;
      seen[i] = seen[i] * keep + part;
    }
    mean = Arrays.stream(rows).sum() / Arrays.stream(seen).sum();
    leastCounted = published.known() ? published.total() : 0;
    if (published.known()) {
      learnRatio(range, width / RingBuckets.COUNT, count);
    }
    return true;
  }

  private void learnRatio(TokenRange range, double share, long count) {
    double keep = keep(ratioSeen, share);
    ratioSeen = ratioSeen * keep + share;
    ratioRows = ratioRows * keep + count;
    ratioPartitions = ratioPartitions * keep + published.in(range);
  }

  /**
   * Returns which part of {@code seen} remains when {@code part} is added and the sum is at most 1.
   */
  private static double keep(double seen, double part) {
    return seen + part <= 1 ? 1 : (1 - part) / seen;
  }

  /** Returns the rows in {@code range}, at least 0; only when anything is known. */
  double rows(TokenRange range) {
    double start = RingBuckets.start(range);
    double end = RingBuckets.end(range);
    if (Double.isNaN(end - start)) {
      return ordered.known() || published.known()
          ? ordered.rows(range, published)
          : rows(TokenRange.ALL) / 2;
    } else if (Double.isNaN(mean)) {
      return ordered.rows(range, published);
    }
    double sum = 0;
    for (int i = RingBuckets.at(start); start < end && i <= RingBuckets.at(end); i++) {
      sum += inBucket(i) * RingBuckets.overlap(i, start, end);
    }
    return sum;
  }

  private double inBucket(int i) {
    if (seen[i] >= 1) {
      return rows[i];
    }
    double prior = prior(i);
    double rest;
    if (prior > 0) {
      rest = (rows[i] + PRIOR_ROWS) / (seen[i] + PRIOR_ROWS / prior);
    } else {
      rest = seen[i] > 0 ? rows[i] / seen[i] : 0;
    }
    return rows[i] + (1 - seen[i]) * rest;
  }

  private double prior(int i) {
    return published.known() && ratioSeen > 0
        ? published.in(i) * (ratioRows + 1) / (ratioPartitions + 1)
        : mean;
  }
}
