package io.sluice.decide.classify;

import java.nio.ByteBuffer;

/** Reads a row limit. */
final class BoundInt {
  private BoundInt() {}

  /** Returns the positive int of a literal or a bound value; −1 if it is not one. */
  static int of(Expression expression, BoundValues values) {
    int number =
        switch (expression.kind()) {
          case INTEGER -> literal(expression);
          case MARKER -> bound(expression, values);
          default -> -1;
        };
    return number > 0 ? number : -1;
  }

  private static int literal(Expression expression) {
    ByteBuffer value = TermBytes.of(expression, "int", BoundValues.NONE);
    return value == null ? -1 : value.getInt(value.position());
  }

  private static int bound(Expression expression, BoundValues values) {
    ByteBuffer value = TermBytes.bound(expression, values);
    return value == null || value.remaining() != 4 ? -1 : value.getInt(value.position());
  }
}
