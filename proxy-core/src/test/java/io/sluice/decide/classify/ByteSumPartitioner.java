package io.sluice.decide.classify;

import io.sluice.ring.Partitioner;
import io.sluice.ring.Token;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A partitioner whose tokens a reader can add up: the sum of the key's bytes. */
final class ByteSumPartitioner implements Partitioner {
  @Override
  public String className() {
    return "ByteSumPartitioner";
  }

  @Override
  public Token hash(ByteBuffer routingKey) {
    long sum = 0;
    for (int i = routingKey.position(); i < routingKey.limit(); i++) {
      sum += routingKey.get(i) & 0xFF;
    }
    return new Token.Murmur3(sum);
  }

  @Override
  public Token minimum() {
    return new Token.Murmur3(Long.MIN_VALUE);
  }

  @Override
  public @Nullable Token fromValue(ByteBuffer value) {
    return switch (value.remaining()) {
      case 4 -> new Token.Murmur3(value.getInt(value.position()));
      case 8 -> new Token.Murmur3(value.getLong(value.position()));
      default -> null;
    };
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
