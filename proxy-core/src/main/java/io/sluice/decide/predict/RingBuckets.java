package io.sluice.decide.predict;

import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;

/**
 * The division of the ring into equal buckets, in which densities are kept. Positions are in
 * buckets.
 */
final class RingBuckets {

  /**
   * The number of buckets: enough to tell replicas' ranges apart, few enough to sum up for every
   * piece of a read.
   */
  static final int COUNT = 256;

  private RingBuckets() {}

  /** Returns where {@code range} begins, 0 to {@link #COUNT}; NaN for keys in byte order. */
  static double start(TokenRange range) {
    Token after = range.after();
    return after == null ? 0 : after.position() * COUNT;
  }

  /** Returns where {@code range} ends, 0 to {@link #COUNT}; NaN for keys in byte order. */
  static double end(TokenRange range) {
    Token upTo = range.upTo();
    return upTo == null ? COUNT : upTo.position() * COUNT;
  }

  /** Returns the part of the ring in {@code range}, 0 to 1; NaN for keys in byte order. */
  static double share(TokenRange range) {
    return (end(range) - start(range)) / COUNT;
  }

  /** Returns the bucket of a position. */
  static int at(double place) {
    return (int) Math.min(COUNT - 1, place);
  }

  /** Returns the share of {@code bucket} between two positions, 0 to 1. */
  static double overlap(int bucket, double start, double end) {
    return Math.max(0, Math.min(end, bucket + 1) - Math.max(start, bucket));
  }
}
