package io.sluice.decide.classify;

import io.sluice.ring.Partitioner;
import io.sluice.ring.Token;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The term that a WHERE clause compares {@code token(k)} with.
 *
 * @param restriction the comparison, one with a single value or BETWEEN, whose first value counts
 * @param arguments when that value is itself {@code token(…)}, its arguments for the key's columns
 * @param partitioner the partitioner of the cluster
 */
record TokenTerm(Restriction restriction, KeyTerms arguments, Partitioner partitioner) {

  /** Whether the comparison is a lower bound of the range. */
  boolean lower() {
    return switch (restriction.operator()) {
      case EQ, GT, GTE, BETWEEN -> true;
      default -> false;
    };
  }

  @Nullable Token token(BoundValues values) {
    Expression bound = restriction.values().get(0);
    return switch (bound.kind()) {
      case MARKER -> fromMarker(bound, values);
      case INTEGER, HEX -> bound.name() == null ? null : partitioner.fromLiteral(bound.name());
      case FUNCTION -> fromArguments(values);
      default -> null;
    };
  }

  private @Nullable Token fromMarker(Expression bound, BoundValues values) {
    ByteBuffer value = TermBytes.bound(bound, values);
    return value == null ? null : partitioner.fromValue(value);
  }

  private @Nullable Token fromArguments(BoundValues values) {
    ByteBuffer key = arguments.valid(values) ? arguments.serialised(values) : null;
    return key == null ? null : partitioner.hash(key);
  }
}
