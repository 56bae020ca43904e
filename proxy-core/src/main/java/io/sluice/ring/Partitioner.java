package io.sluice.ring;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The function that maps a partition key to a token. Immutable and safe for any thread. */
public interface Partitioner {

  /** Returns the class name, as in {@code system.local.partitioner}. */
  String className();

  /**
   * Returns the token of a serialised partition key. Reads from a duplicate of {@code routingKey}.
   */
  Token hash(ByteBuffer routingKey);

  /** Returns the token below all others, which stands for both ends of the ring. */
  Token minimum();

  /**
   * Returns the token for a bound value of the token's CQL type ({@code bigint}, {@code varint} or
   * {@code blob}).
   *
   * @return null when the bytes are no token of this partitioner
   */
  @Nullable Token fromValue(ByteBuffer value);

  /**
   * Returns the token for a literal in CQL text, for example {@code -42} or {@code 0xcafe}.
   *
   * @return null when the text is no token of this partitioner
   */
  @Nullable Token fromLiteral(String cql);
}
