package io.sluice.ring;

import java.math.BigInteger;

/** A position on the ring. Tokens of one partitioner are ordered; mixing partitioners throws. */
public sealed interface Token extends Comparable<Token> {

  /** The token as CQL writes it on the right of {@code token(k) >=}. */
  String toCql();

  /**
   * Murmur3Partitioner.
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
  }

  /**
   * RandomPartitioner.
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
  }

  /**
   * ByteOrderedPartitioner: the key itself.
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
  }
}
