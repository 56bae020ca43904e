package io.sluice.decide.predict;

import io.sluice.ring.TokenRange;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The distribution of rows over the ring, learned from answers. Pure. Not safe for several threads.
 *
 * <p>The ring is kept in buckets. Each remembers as much reading as covers it once: what is read
 * beyond that displaces, in equal measure, what was read before. So a range that was just read
 * whole is estimated as what it had, a table that grows or shrinks is followed at the speed at
 * which it is read, and small samples add up.
 *
 * <p>Of the part of a bucket that has not been read yet the estimate is the posterior mean of a
 * Poisson process whose rate is gamma distributed around a prior: what the nodes have counted there
 * times the rows that a counted partition has turned out to have, else the mean of all reading.
 */
final class LearnedRows {

  /** How many rows have to be seen of a bucket until they weigh as much as its prior. */
  private static final double PRIOR_ROWS = 2;

  /** By how much newer counts of the nodes change what was learned, at most. */
  private static final double MOST_GROWTH = 2;

  /** A range of fewer tokens than this, in buckets, says nothing of a density. */
  private static final double NARROWEST = RingBuckets.COUNT * 0x1p-40;

  private final double[] rows = new double[RingBuckets.COUNT];
  private final double[] seen = new double[RingBuckets.COUNT];
  private final OrderedRows ordered = new OrderedRows();
  private double mean = Double.NaN;
  private double ratioSeen;
  private double ratioRows;
  private double ratioPartitions;
  private PublishedPartitions published = PublishedPartitions.NONE;

  /** What nodes had counted in all when rows were last made to fit that; 0 when nothing. */
  private double counted;

  /** What another proxy has learned. */
  static LearnedRows of(DensitySummary told) {
    LearnedRows learned = new LearnedRows();
    System.arraycopy(told.rowsByBucket(), 0, learned.rows, 0, RingBuckets.COUNT);
    System.arraycopy(told.seenByBucket(), 0, learned.seen, 0, RingBuckets.COUNT);
    learned.mean = Arrays.stream(learned.rows).sum() / Arrays.stream(learned.seen).sum();
    DensitySummary.Totals totals = told.totals();
    learned.ratioSeen = totals.ratioSeen();
    learned.ratioRows = totals.ratioRows();
    learned.ratioPartitions = totals.ratioPartitions();
    learned.counted = totals.counted();
    return learned;
  }

  /** This for other proxies; null where keys are in byte order. */
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

  boolean known() {
    return !Double.isNaN(mean) || ordered.known();
  }

  /**
   * Goes on with newer counts of the nodes: rows are thought to have become more or fewer as the
   * counts have, but twice or half as many at most, since a memtable that was written to disk makes
   * counts jump where rows did not.
   */
  void follow(PublishedPartitions now) {
    if (now != published && counted > 0 && now.known()) {
      double growth = now.total() / counted;
      double factor = Math.max(1 / MOST_GROWTH, Math.min(MOST_GROWTH, growth));
      Arrays.setAll(rows, i -> rows[i] * factor);
      mean *= factor;
    }
    counted = now.known() ? now.total() : counted;
    published = now;
  }

  /**
   * All that lies in {@code range} was read.
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

  /** What part of what was seen stays when {@code part} is added and 1 is all there is. */
  private static double keep(double seen, double part) {
    return seen + part <= 1 ? 1 : (1 - part) / seen;
  }

  /** Rows in {@code range}, at least 0; only when anything is known. */
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
