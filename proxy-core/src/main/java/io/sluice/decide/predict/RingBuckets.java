package io.sluice.decide.predict;

import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;

/** The ring in equal parts, by which densities are kept. A place on it is counted in buckets. */
final class RingBuckets {

  /** Enough to tell replicas' ranges apart, few enough to be added up for every piece of a read. */
  static final int COUNT = 256;

  private RingBuckets() {}

  /** Where {@code range} begins, 0 to {@link #COUNT}; NaN for keys in byte order. */
  static double start(TokenRange range) {
    Token after = range.after();
    return after == null ? 0 : after.position() * COUNT;
  }

  /** Where {@code range} ends, 0 to {@link #COUNT}; NaN for keys in byte order. */
  static double end(TokenRange range) {
    Token upTo = range.upTo();
    return upTo == null ? COUNT : upTo.position() * COUNT;
  }

  /** The bucket of a place. */
  static int at(double place) {
    return (int) Math.min(COUNT - 1, place);
  }

  /** How much of {@code bucket} lies between two places, 0 to 1. */
  static double overlap(int bucket, double start, double end) {
    return Math.max(0, Math.min(end, bucket + 1) - Math.max(start, bucket));
  }
}
