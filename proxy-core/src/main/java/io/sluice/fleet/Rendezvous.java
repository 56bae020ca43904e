package io.sluice.fleet;

import java.util.UUID;

/**
 * The scores of rendezvous hashing. The member with the highest score has the thing. Scores are
 * compared as unsigned numbers.
 */
final class Rendezvous {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private Rendezvous() {}

  /** Returns the seed from which the scores for a thing are computed. */
  static long seed(UUID thing) {
    return mix(hash(thing));
  }

  /** Returns the score of a member for the thing with this seed. */
  static long score(long seed, UUID member) {
    return mix(seed ^ hash(member));
  }

  private static long hash(UUID id) {
    return mix(id.getMostSignificantBits() + GOLDEN) ^ id.getLeastSignificantBits();
  }

  /** The finalizer of SplitMix64: each bit of the result depends on each bit of the input. */
  private static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
