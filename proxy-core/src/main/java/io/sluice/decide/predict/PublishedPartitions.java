package io.sluice.decide.predict;

import io.sluice.ring.Estimates.Counted;
import io.sluice.ring.TokenRange;
import java.util.List;

/**
 * The distribution of one table's partitions over the ring, as counted by the nodes. Immutable.
 *
 * <p>Density is the counted partitions over the share of the ring where they were counted. A range
 * that two nodes have counted thus does not count twice. A range that no node has counted, because
 * its node is down or the ring has just changed, is assumed to be as dense as its surroundings.
 */
final class PublishedPartitions {

  /** An instance without counts. */
  static final PublishedPartitions NONE = new PublishedPartitions(List.of());

  private final List<Counted> counted;
  private final double[] byBucket = new double[RingBuckets.COUNT];
  private final boolean measured;
  private final double total;
  private final double meanBytes;
  private final long publishedNanos;
  private final int ranges;

  PublishedPartitions(List<Counted> counted) {
    this(counted, 0);
  }

  /**
   * Creates an instance from the nodes' counts.
   *
   * @param publishedNanos when the counts were received
   */
  PublishedPartitions(List<Counted> counted, long publishedNanos) {
    this.publishedNanos = publishedNanos;
    this.ranges = counted.size();
    this.counted = kept(counted);
    double[] seen = new double[RingBuckets.COUNT];
    double seenInAll = 0;
    double seenPartitions = 0;
    double all = 0;
    double bytes = 0;
    for (Counted each : counted) {
      all += each.partitions();
      bytes += (double) each.partitions() * each.meanPartitionBytes();
      double width = spread(each, seen);
      seenInAll += width;
      seenPartitions += width > 0 ? each.partitions() : 0;
    }
    this.measured = seenInAll > 0;
    double mean = measured ? seenPartitions / seenInAll : 0;
    double sum = 0;
    for (int i = 0; i < byBucket.length; i++) {
      byBucket[i] = seen[i] > 0 ? byBucket[i] / seen[i] : mean;
      sum += byBucket[i];
    }
    this.total = measured ? sum : all;
    this.meanBytes = all > 0 ? bytes / all : 0;
  }

  /** Returns the ranges to keep. Many ranges are kept only as buckets, if they can be measured. */
  private static List<Counted> kept(List<Counted> counted) {
    boolean many = counted.size() > RingBuckets.COUNT;
    return many && counted.stream().allMatch(PublishedPartitions::isMeasurable)
        ? List.of()
        : counted;
  }

  private static boolean isMeasurable(Counted each) {
    return !Double.isNaN(RingBuckets.end(each.range()) - RingBuckets.start(each.range()));
  }

  /**
   * Adds a count to the buckets, and its share of each bucket to {@code seen}. Returns the width of
   * its range.
   */
  private double spread(Counted each, double[] seen) {
    double start = RingBuckets.start(each.range());
    double end = RingBuckets.end(each.range());
    double width = end - start;
    if (!(width > 0)) {
      return 0;
    }
    for (int i = RingBuckets.at(start); i <= RingBuckets.at(end); i++) {
      double part = RingBuckets.overlap(i, start, end);
      seen[i] += part;
      byBucket[i] += each.partitions() * part / width;
    }
    return width;
  }

  /** Returns when the counts were received. */
  long publishedNanos() {
    return publishedNanos;
  }

  /** Returns the number of counted ranges. */
  int ranges() {
    return ranges;
  }

  boolean known() {
    return total > 0;
  }

  /** Returns the partitions in all. */
  double total() {
    return total;
  }

  /** Returns the mean size of a partition in bytes, 0 when nothing is known. */
  double meanBytes() {
    return meanBytes;
  }

  /** Returns the partitions in one bucket of the ring. */
  double in(int bucket) {
    return byBucket[bucket];
  }

  /** Returns the partitions in {@code range}. */
  double in(TokenRange range) {
    double start = RingBuckets.start(range);
    double end = RingBuckets.end(range);
    if (!measured || Double.isNaN(start) || Double.isNaN(end)) {
      return inOrder(range);
    }
    double partitions = 0;
    for (int i = RingBuckets.at(start); start < end && i <= RingBuckets.at(end); i++) {
      partitions += byBucket[i] * RingBuckets.overlap(i, start, end);
    }
    return partitions;
  }

  /**
   * Sums the counts of keys in byte order. A counted range that is only partly inside counts half,
   * because the position of its keys is unknown.
   */
  private double inOrder(TokenRange range) {
    double partitions = 0;
    for (Counted each : counted) {
      TokenRange common = each.range().intersect(range);
      if (common.equals(each.range())) {
        partitions += each.partitions();
      } else if (!common.isEmpty()) {
        partitions += each.partitions() / 2.0;
      }
    }
    return partitions;
  }
}
