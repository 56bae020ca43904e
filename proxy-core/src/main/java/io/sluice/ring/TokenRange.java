package io.sluice.ring;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Tokens after {@code after}, up to and including {@code upTo}, in ring order without wrapping:
 * {@code ]1,10]} holds 2 and 10, not 1. Both ends open is the whole ring. The minimum token, which
 * no partition has, is never a bound: it is written as an open end. A range that starts at or after
 * its end holds nothing.
 *
 * @param after null for the beginning of the ring
 * @param upTo null for its end
 */
public record TokenRange(@Nullable Token after, @Nullable Token upTo) {

  /** The whole ring. */
  public static final TokenRange ALL = new TokenRange(null, null);

  /** The greatest token of RandomPartitioner. */
  private static final BigInteger GREATEST = BigInteger.TWO.pow(127);

  /** Whether {@code token} lies in it. */
  public boolean contains(Token token) {
    return (after == null || token.compareTo(after) > 0)
        && (upTo == null || token.compareTo(upTo) <= 0);
  }

  /** Whether no partition can be in it, whatever the table holds. */
  public boolean isEmpty() {
    if (after == null) {
      return upTo != null && upTo.isMinimum();
    }
    return upTo == null ? isGreatest(after) : after.compareTo(upTo) >= 0;
  }

  /** What is in both; empty when nothing is. */
  public TokenRange intersect(TokenRange other) {
    Token from =
        after == null || (other.after != null && other.after.compareTo(after) > 0)
            ? other.after
            : after;
    Token to =
        upTo == null || (other.upTo != null && other.upTo.compareTo(upTo) < 0) ? other.upTo : upTo;
    return new TokenRange(from, to);
  }

  /**
   * What part of the whole ring's tokens it holds.
   *
   * @param minimum the partitioner's minimum token, which tells what kind of token an open end is
   * @return 0 to 1; NaN for keys in byte order, which cannot be counted
   */
  public double share(Token minimum) {
    if (minimum instanceof Token.Murmur3) {
      double width = (double) upperLong() - (double) lowerLong();
      return Math.max(0, width / 0x1p64);
    }
    return minimum instanceof Token.Random
        ? Math.max(0, upperBig().subtract(lowerBig()).doubleValue() / 0x1p127)
        : Double.NaN;
  }

  /**
   * The last token of one of several equally wide parts. Neighbours in a range of fewer tokens than
   * parts may have the same.
   *
   * @param part its number, from 1 to {@code parts}
   * @param parts how many there are
   * @param minimum the partitioner's minimum token
   * @return {@code upTo} for the last part; also for any part of a range of keys in byte order,
   *     which cannot be cut
   */
  public @Nullable Token lastOf(int part, int parts, Token minimum) {
    if (part >= parts) {
      return upTo;
    } else if (minimum instanceof Token.Murmur3) {
      long lower = lowerLong();
      long width = upperLong() - lower;
      long whole = Long.divideUnsigned(width, parts);
      long rest = Long.remainderUnsigned(width, parts);
      return new Token.Murmur3(lower + whole * part + rest * part / parts);
    } else if (minimum instanceof Token.Random) {
      BigInteger lower = lowerBig();
      BigInteger width = upperBig().subtract(lower);
      BigInteger offset =
          width.multiply(BigInteger.valueOf(part)).divide(BigInteger.valueOf(parts));
      return new Token.Random(lower.add(offset));
    }
    return upTo;
  }

  private static boolean isGreatest(Token token) {
    if (token instanceof Token.Murmur3 murmur3) {
      return murmur3.value() == Long.MAX_VALUE;
    }
    return token instanceof Token.Random random && random.value().compareTo(GREATEST) >= 0;
  }

  private long lowerLong() {
    return after == null ? Long.MIN_VALUE : ((Token.Murmur3) after).value();
  }

  private long upperLong() {
    return upTo == null ? Long.MAX_VALUE : ((Token.Murmur3) upTo).value();
  }

  private BigInteger lowerBig() {
    return after == null ? BigInteger.ONE.negate() : ((Token.Random) after).value();
  }

  private BigInteger upperBig() {
    return upTo == null ? GREATEST : ((Token.Random) upTo).value();
  }

  /** For people: {@code ]1,10]}, with nothing where an end is open. */
  @Override
  public String toString() {
    return "]"
        + (after == null ? "" : after.toCql())
        + ","
        + (upTo == null ? "" : upTo.toCql())
        + "]";
  }
}
