package io.sluice.execute.members;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Tokens spread evenly over the ring of a partitioner. */
final class EvenTokens {

  private static final int PER_PROXY = 8;
  private static final int ORDERED_BYTES = 8;

  private EvenTokens() {}

  /**
   * Returns the tokens of proxy {@code index} of {@code count}, in the format of {@code
   * system.local}.
   */
  static List<String> of(String partitioner, int index, int count) {
    List<String> tokens = new ArrayList<>(PER_PROXY);
    for (int i = 0; i < PER_PROXY; i++) {
      tokens.add(token(partitioner, (long) i * count + index, (long) PER_PROXY * count));
    }
    return tokens;
  }

  /** Returns the token at {@code (2·step + 1) / (2·steps)} of the ring. */
  private static String token(String partitioner, long step, long steps) {
    if (partitioner.endsWith("RandomPartitioner")) {
      return fraction(127, step, steps).toString();
    }
    if (partitioner.endsWith("ByteOrderedPartitioner")) {
      return "%016x".formatted(fraction(8 * ORDERED_BYTES, step, steps).longValue());
    }
    return fraction(64, step, steps).subtract(BigInteger.ONE.shiftLeft(63)).toString();
  }

  private static BigInteger fraction(int bits, long step, long steps) {
    return BigInteger.ONE
        .shiftLeft(bits)
        .multiply(BigInteger.valueOf(2 * step + 1))
        .divide(BigInteger.valueOf(2 * steps));
  }
}
