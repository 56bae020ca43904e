package io.sluice.ring;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A position on the ring. Tokens of one partitioner are ordered; comparing tokens of different
 * partitioners throws.
 */
public sealed interface Token extends Comparable<Token> {

  /** Returns the token as CQL writes it to the right of {@code token(k) >=}. */
  String toCql();

  /** Returns the token as a bound value for that position, in a new buffer. */
  ByteBuffer toValue();

  /** Whether this is the partitioner's minimum token, which no partition has. */
  boolean isMinimum();

  /**
   * Returns the greatest token below this one.
   *
   * @return null when there is none: at the minimum, and for most keys of an ordered ring
   */
  @Nullable Token previous();

  /**
   * Returns the share of the ring below this token. Hashed keys are spread evenly, so this is also
   * the expected share of keys.
   *
   * @return 0 for the minimum token to 1 for the greatest; NaN for keys in byte order, which have
   *     no measure
   */
  double position();

  /** Returns a hash of the token, of 64 bits where the token has as many. */
  long hash();

  /**
   * A token of Murmur3Partitioner.
   *
   * @param value {@code Long.MIN_VALUE} is the minimum token, which no partition has
   */
  record Murmur3(long value) implements Token {
    @Override
    public int compareTo(Token other) {
      return Long.compare(value, ((Murmur3) other).value);
    }

    @Override
    public String toCql() {
      return Long.toString(value);
    }

    @Override
    public ByteBuffer toValue() {
      return ByteBuffer.allocate(Long.BYTES).putLong(0, value);
    }

    @Override
    public boolean isMinimum() {
      return value == Long.MIN_VALUE;
    }

    @Override
    public @Nullable Token previous() {
      return isMinimum() ? null : new Murmur3(value - 1);
    }

    @Override
    public double position() {
      return value / 0x1p64 + 0.5;
    }

    @Override
    public long hash() {
      return value;
    }
  }

  /**
   * A token of RandomPartitioner.
   *
   * @param value −1 (the minimum token, which no partition has) to 2^127
   */
  record Random(BigInteger value) implements Token {
    @Override
    public int compareTo(Token other) {
      return value.compareTo(((Random) other).value);
    }

    @Override
    public String toCql() {
      return value.toString();
    }

    @Override
    public ByteBuffer toValue() {
      return ByteBuffer.wrap(value.toByteArray());
    }

    @Override
    public boolean isMinimum() {
      return value.signum() < 0;
    }

    @Override
    public @Nullable Token previous() {
      return isMinimum() ? null : new Random(value.subtract(BigInteger.ONE));
    }

    @Override
    public double position() {
      return isMinimum() ? 0 : value.doubleValue() / 0x1p127;
    }

    @Override
    public long hash() {
      return value.longValue();
    }
  }

  /**
   * A token of ByteOrderedPartitioner: the key itself.
   *
   * @param hex the bytes in lower-case hexadecimal, whose order as a string is that of the bytes;
   *     empty is the minimum token
   */
  record Ordered(String hex) implements Token {
    @Override
    public int compareTo(Token other) {
      return hex.compareTo(((Ordered) other).hex);
    }

    @Override
    public String toCql() {
      return "0x" + hex;
    }

    @Override
    public ByteBuffer toValue() {
      return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    }

    @Override
    public boolean isMinimum() {
      return hex.isEmpty();
    }

    /**
     * Returns the key without its last byte if that byte is zero. No other key has a direct
     * predecessor.
     */
    @Override
    public @Nullable Token previous() {
      return hex.endsWith("00") ? new Ordered(hex.substring(0, hex.length() - 2)) : null;
    }

    @Override
    public double position() {
      return isMinimum() ? 0 : Double.NaN;
    }

    @Override
    public long hash() {
      return hex.hashCode();
    }
  }
}
