package io.sluice.decide.classify;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Serialises the values of terms. Stateless and safe for any thread. */
public final class TermBytes {
  private TermBytes() {}

  /**
   * Returns the serialised value of a literal or a marker.
   *
   * @param type the CQL type of the column that it is compared with
   * @return null when missing, null, unset, or in doubt
   */
  public static @Nullable ByteBuffer of(Expression term, String type, BoundValues values) {
    return switch (term.kind()) {
      case MARKER -> bound(term, values);
      case HINT -> sameType(term, type) ? of(term.parts().get(0), type, values) : null;
      default -> term.name() == null ? null : LiteralBytes.of(term.kind(), term.name(), type);
    };
  }

  /** Returns the value of a marker; null for any other term. */
  static @Nullable ByteBuffer bound(Expression term, BoundValues values) {
    if (term.kind() != Expression.Kind.MARKER) {
      return null;
    }
    ByteBuffer named = term.name() == null ? null : values.get(term.name());
    return named != null ? named : values.get(term.marker());
  }

  /**
   * Whether a hint names the column's type. A hint of another type is legal if both types agree on
   * values, but it decides the bytes.
   */
  private static boolean sameType(Expression hint, String type) {
    return type.equals(hint.name());
  }
}
