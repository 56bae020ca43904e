package io.sluice.decide.classify;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Serialises literals exactly as Cassandra does for a column's type. */
final class LiteralBytes {
  private LiteralBytes() {}

  /**
   * The bytes of a literal.
   *
   * @param kind of the literal
   * @param text as the lexer read it, strings without quotes
   * @param type the column's CQL type
   * @return null when the type does not take such a literal, or its bytes are in doubt
   */
  static @Nullable ByteBuffer of(Expression.Kind kind, String text, String type) {
    if (kind == Expression.Kind.INTEGER && type.equals("int")) {
      return ByteBuffer.allocate(4).putInt(0, Integer.parseInt(text));
    }
    return null;
  }
}
