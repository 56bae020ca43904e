package io.sluice.decide.classify;

import io.sluice.ring.Partitioner;
import io.sluice.ring.Token;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The lower bound that a WHERE clause sets by {@code token(k) > …}.
 *
 * @param bound the value compared with
 * @param arguments when the bound is itself {@code token(…)}, what it gives for the key's columns
 * @param partitioner of the cluster
 */
record RangeStart(Expression bound, KeyTerms arguments, Partitioner partitioner) {

  @Nullable Token token(BoundValues values) {
    return switch (bound.kind()) {
      case MARKER -> fromMarker(values);
      case INTEGER, HEX -> bound.name() == null ? null : partitioner.fromLiteral(bound.name());
      case FUNCTION -> fromArguments(values);
      default -> null;
    };
  }

  private @Nullable Token fromMarker(BoundValues values) {
    ByteBuffer value = TermBytes.bound(bound, values);
    return value == null ? null : partitioner.fromValue(value);
  }

  private @Nullable Token fromArguments(BoundValues values) {
    ByteBuffer key = arguments.serialised(values);
    return key == null ? null : partitioner.hash(key);
  }
}
