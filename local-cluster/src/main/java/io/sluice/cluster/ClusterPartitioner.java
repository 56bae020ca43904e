package io.sluice.cluster;

import java.math.BigInteger;
import java.util.Locale;

/** The partitioners a local cluster can run with, and how each one writes a token. */
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
  /** Tokens are the key's bytes; the ring is spread over the first eight of them. */
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

  /** The class that {@code cassandra.yaml} names. */
  public String className() {
    return "org.apache.cassandra.dht." + simpleName;
  }

  /** How many positions the ring has. */
  BigInteger ringSize() {
    return ringSize;
  }

  /**
   * The token at a position from 0 to {@link #ringSize()} - 1, as {@code initial_token} takes it.
   */
  abstract String tokenAt(BigInteger position);
}
