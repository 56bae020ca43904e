package io.sluice.decide.predict;

import io.sluice.ring.Estimates.Counted;
import io.sluice.ring.TokenRange;
import java.util.List;

/**
 * The distribution of one table's partitions over the ring, as counted by the nodes. Immutable.
 *
 * <p>Density is what was counted over how much of the ring it was counted on. So a range that two
 * nodes have counted does not count twice, and what no node has counted, because it is down or the
 * ring has just changed, is thought to be as dense as what lies near it.
 */
final class PublishedPartitions {

  /** Nothing has been counted. */
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
   * What nodes have counted.
   *
   * @param publishedNanos when it was heard of
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

  /** Many ranges are kept only as buckets, where they can be measured. */
  private static List<Counted> kept(List<Counted> counted) {
    boolean many = counted.size() > RingBuckets.COUNT;
    return many && counted.stream().allMatch(PublishedPartitions::isMeasurable)
        ? List.of()
        : counted;
  }

  private static boolean isMeasurable(Counted each) {
    return !Double.isNaN(RingBuckets.end(each.range()) - RingBuckets.start(each.range()));
  }

  /** Adds what was counted to the buckets, and how much of them that was; tells its width. */
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

  /** When this was heard of. */
  long publishedNanos() {
    return publishedNanos;
  }

  /** How many ranges were counted. */
  int ranges() {
    return ranges;
  }

  boolean known() {
    return total > 0;
  }

  /** Partitions in all. */
  double total() {
    return total;
  }

  /** Mean size of a partition in bytes, 0 when nothing is known. */
  double meanBytes() {
    return meanBytes;
  }

  /** Partitions in one bucket of the ring. */
  double in(int bucket) {
    return byBucket[bucket];
  }

  /** Partitions in {@code range}. */
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

  /** Of a range that is cut, half counts: where within it keys in byte order lie is not known. */
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
