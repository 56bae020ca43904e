package io.sluice.simulator.cluster;

import io.sluice.ring.Partitioner;
import io.sluice.ring.Token;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A partitioner with tokens as bigints. It never hashes, because simulated reads name their tokens.
 */
final class Murmur3 implements Partitioner {
  @Override
  public String className() {
    return "org.apache.cassandra.dht.Murmur3Partitioner";
  }

  @Override
  public Token hash(ByteBuffer routingKey) {
    throw new UnsupportedOperationException("a simulated read names its token");
  }

  @Override
  public Token minimum() {
    return new Token.Murmur3(Long.MIN_VALUE);
  }

  @Override
  public @Nullable Token fromValue(ByteBuffer value) {
    return value.remaining() == Long.BYTES
        ? new Token.Murmur3(value.getLong(value.position()))
        : null;
  }

  @Override
  public @Nullable Token fromLiteral(String cql) {
    return null;
  }
}
