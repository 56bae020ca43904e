package io.sluice.cluster;

import java.math.BigInteger;
import java.util.Locale;

/** The partitioners of local clusters, each with its format of tokens. */
public enum ClusterPartitioner {
  /** Tokens from -2^63 to 2^63 - 1. */
  MURMUR3("Murmur3Partitioner", BigInteger.ONE.shiftLeft(64)) {
    @Override
    String tokenAt(BigInteger position) {
      return position.subtract(BigInteger.ONE.shiftLeft(63)).toString();
    }
  },
  /** Tokens from 0 to 2^127. */
  RANDOM("RandomPartitioner", BigInteger.ONE.shiftLeft(127)) {
    @Override
    String tokenAt(BigInteger position) {
      return position.toString();
    }
  },
  /** Tokens are the bytes of the key. The ring is spread over the first eight bytes. */
  BYTEORDERED("ByteOrderedPartitioner", BigInteger.ONE.shiftLeft(64)) {
    @Override
    String tokenAt(BigInteger position) {
      return String.format(Locale.ROOT, "%016x", position);
    }
  };

  private final String simpleName;
  private final BigInteger ringSize;

  ClusterPartitioner(String simpleName, BigInteger ringSize) {
    this.simpleName = simpleName;
    this.ringSize = ringSize;
  }

  /** Returns the class name for {@code cassandra.yaml}. */
  public String className() {
    return "org.apache.cassandra.dht." + simpleName;
  }

  /** Returns the number of positions on the ring. */
  BigInteger ringSize() {
    return ringSize;
  }

  /**
   * Returns the token at a position from 0 to {@link #ringSize()} - 1, in the format of {@code
   * initial_token}.
   */
  abstract String tokenAt(BigInteger position);
}
