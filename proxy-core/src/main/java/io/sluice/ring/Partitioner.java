package io.sluice.ring;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The function that maps a partition key to a token. Immutable and safe for any thread. */
public interface Partitioner {

  /** The class name, as {@code system.local.partitioner} gives it. */
  String className();

  /** The token of a serialised partition key; reads from a duplicate of {@code routingKey}. */
  Token hash(ByteBuffer routingKey);

  /** The token below all others, which stands for both ends of the ring. */
  Token minimum();

  /**
   * The token that a bound value or a literal of the token's CQL type stands for ({@code bigint},
   * {@code varint} or {@code blob}).
   *
   * @return null when the bytes are no token of this partitioner
   */
  @Nullable Token fromValue(ByteBuffer value);

  /**
   * The token that a literal in CQL text stands for, for example {@code -42} or {@code 0xcafe}.
   *
   * @return null when the text is no token of this partitioner
   */
  @Nullable Token fromLiteral(String cql);
}
