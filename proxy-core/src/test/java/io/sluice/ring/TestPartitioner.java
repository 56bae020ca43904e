package io.sluice.ring;

import java.nio.ByteBuffer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A partitioner with Murmur3's tokens and predictable hashes.
 *
 * @param hashing returns the token of a key; does not move the key's position
 */
public record TestPartitioner(ToLongFunction<ByteBuffer> hashing) implements Partitioner {

  /** The partitioner by which a key of type {@code int} is its own token. */
  public static final TestPartitioner INT_KEYS =
      new TestPartitioner(key -> key.getInt(key.position()));

  /** The partitioner whose token is the sum of a key's bytes. */
  public static final TestPartitioner BYTE_SUMS = new TestPartitioner(TestPartitioner::sum);

  /** The partitioner for tests that do not examine tokens. */
  public static final TestPartitioner ANY = new TestPartitioner(ByteBuffer::hashCode);

  private static long sum(ByteBuffer key) {
    long sum = 0;
    for (int i = key.position(); i < key.limit(); i++) {
      sum += key.get(i) & 0xFF;
    }
    return sum;
  }

  @Override
  public String className() {
    return "org.apache.cassandra.dht.Murmur3Partitioner";
  }

  @Override
  public Token hash(ByteBuffer routingKey) {
    return new Token.Murmur3(hashing.applyAsLong(routingKey));
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
    try {
      return new Token.Murmur3(Long.parseLong(cql));
    } catch (NumberFormatException notANumber) {
      return null;
    }
  }
}
