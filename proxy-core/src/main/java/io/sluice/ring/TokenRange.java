package io.sluice.ring;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * The tokens after {@code after}, up to and including {@code upTo}, without wrapping: {@code
 * ]1,10]} contains 2 and 10, not 1. A range with two open ends is the whole ring. The minimum
 * token, which no partition has, is never a bound, but becomes an open end. A range that starts at
 * or after its end is empty.
 *
 * @param after null for the beginning of the ring
 * @param upTo null for its end
 */
public record TokenRange(@Nullable Token after, @Nullable Token upTo) {

  /** The whole ring. */
  public static final TokenRange ALL = new TokenRange(null, null);

  /** The greatest token of RandomPartitioner. */
  private static final BigInteger GREATEST = BigInteger.TWO.pow(127);

  /** Whether {@code token} lies in this range. */
  public boolean contains(Token token) {
    return (after == null || token.compareTo(after) > 0)
        && (upTo == null || token.compareTo(upTo) <= 0);
  }

  /** Whether no partition can lie in this range, whatever the table contains. */
  public boolean isEmpty() {
    if (after == null) {
      return upTo != null && upTo.isMinimum();
    }
    return upTo == null ? isGreatest(after) : after.compareTo(upTo) >= 0;
  }

  /** Returns the intersection of both ranges, which may be empty. */
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
   * Returns this range's share of the whole ring's tokens.
   *
   * @param minimum the partitioner's minimum token, which tells the partitioner of a range with
   *     open ends
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
   * Returns the last token of one of several equally wide parts. Neighbouring parts may have the
   * same last token when the range has fewer tokens than parts.
   *
   * @param part the part's number, from 1 to {@code parts}
   * @param parts the number of parts
   * @param minimum the partitioner's minimum token
   * @return {@code upTo} for the last part, and for every part of a range of keys in byte order,
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

  /** Returns the range in the form {@code ]1,10]}; an open end is left empty. */
  @Override
  public String toString() {
    return "]"
        + (after == null ? "" : after.toCql())
        + ","
        + (upTo == null ? "" : upTo.toCql())
        + "]";
  }
}
