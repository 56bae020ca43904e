package io.sluice.watch;

import com.datastax.oss.driver.internal.core.metadata.token.ByteOrderedToken;
import com.datastax.oss.driver.internal.core.metadata.token.ByteOrderedTokenFactory;
import com.datastax.oss.driver.internal.core.metadata.token.Murmur3Token;
import com.datastax.oss.driver.internal.core.metadata.token.Murmur3TokenFactory;
import com.datastax.oss.driver.internal.core.metadata.token.RandomToken;
import com.datastax.oss.driver.internal.core.metadata.token.RandomTokenFactory;
import com.datastax.oss.driver.internal.core.metadata.token.TokenFactory;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sluice.ring.Partitioner;
import io.sluice.ring.Token;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The driver's hash functions, as partitioners of the proxy. */
@SuppressWarnings("ImmutableEnumChecker") // Factories have no state, tokens do not change.
enum DriverPartitioner implements Partitioner {
  MURMUR3(new Murmur3TokenFactory(), new Token.Murmur3(Long.MIN_VALUE)) {
    @Override
    public @Nullable Token fromValue(ByteBuffer value) {
      return value.remaining() == Long.BYTES
          ? new Token.Murmur3(value.getLong(value.position()))
          : null;
    }

    @Override
    Token parse(String cql) {
      return new Token.Murmur3(Long.parseLong(cql));
    }
  },
  RANDOM(new RandomTokenFactory(), new Token.Random(BigInteger.ONE.negate())) {
    @Override
    public @Nullable Token fromValue(ByteBuffer value) {
      return value.hasRemaining() ? new Token.Random(new BigInteger(bytes(value))) : null;
    }

    @Override
    Token parse(String cql) {
      return new Token.Random(new BigInteger(cql));
    }
  },
  BYTE_ORDERED(new ByteOrderedTokenFactory(), new Token.Ordered("")) {
    @Override
    public Token fromValue(ByteBuffer value) {
      return new Token.Ordered(ByteBufUtil.hexDump(bytes(value)));
    }

    @Override
    @Nullable Token recorded(String text) {
      return fromLiteral("0x" + text);
    }

    @Override
    Token parse(String cql) {
      String hex = cql.toLowerCase(Locale.ROOT);
      if (!hex.matches("0x([0-9a-f]{2})*")) {
        throw new NumberFormatException(cql);
      }
      return new Token.Ordered(hex.substring(2));
    }
  };

  private final TokenFactory factory;

  private final Token minimum;

  DriverPartitioner(TokenFactory factory, Token minimum) {
    this.factory = factory;
    this.minimum = minimum;
  }

  /** Returns the partitioner with that class name, or null if there is none. */
  static @Nullable DriverPartitioner named(String className) {
    for (DriverPartitioner each : values()) {
      if (each.className().equals(className)) {
        return each;
      }
    }
    return null;
  }

  abstract Token parse(String cql);

  /**
   * Parses a token as Cassandra's own tables write it, which differs from CQL.
   *
   * @return null when the text is not a token of this partitioner
   */
  @Nullable Token recorded(String text) {
    return fromLiteral(text);
  }

  @Override
  public String className() {
    return factory.getPartitionerName();
  }

  @Override
  public Token hash(ByteBuffer routingKey) {
    return toRing(factory.hash(routingKey.duplicate()));
  }

  @Override
  public Token minimum() {
    return minimum;
  }

  @Override
  public @Nullable Token fromLiteral(String cql) {
    try {
      return parse(cql);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** Converts the driver's token to a token of the ring. */
  static Token toRing(com.datastax.oss.driver.api.core.metadata.token.Token token) {
    if (token instanceof Murmur3Token murmur3) {
      return new Token.Murmur3(murmur3.getValue());
    }
    if (token instanceof RandomToken random) {
      return new Token.Random(random.getValue());
    }
    ByteBuffer value = ((ByteOrderedToken) token).getValue();
    return new Token.Ordered(ByteBufUtil.hexDump(Unpooled.wrappedBuffer(value.duplicate())));
  }

  private static byte[] bytes(ByteBuffer value) {
    byte[] bytes = new byte[value.remaining()];
    value.duplicate().get(bytes);
    return bytes;
  }
}
