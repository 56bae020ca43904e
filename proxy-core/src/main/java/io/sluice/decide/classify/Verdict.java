package io.sluice.decide.classify;

import io.sluice.ring.Token;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The one implementation of {@link Classified}.
 *
 * @param start where a range read begins, or null
 */
record Verdict(
    StatementShape shape,
    @Nullable String keyspace,
    @Nullable String table,
    boolean qualified,
    boolean conditional,
    int markers,
    KeyTerms key,
    @Nullable RangeStart start,
    @Nullable Select select)
    implements Classified {

  /** I do not know. */
  static final Verdict NOT_UNDERSTOOD =
      new Verdict(StatementShape.OTHER, null, null, false, false, -1, KeyTerms.UNKNOWN, null, null);

  @Override
  public @Nullable ByteBuffer routingKey(BoundValues values) {
    return key.serialised(values);
  }

  @Override
  public @Nullable Token startToken(BoundValues values) {
    return start == null ? null : start.token(values);
  }

  @Override
  public int limit(BoundValues values) {
    Expression rows = select == null ? null : select.limits().rows();
    return rows == null ? -1 : BoundInt.of(rows, values);
  }

  @Override
  public int partitions(BoundValues values) {
    return switch (shape) {
      case POINT_READ -> 1;
      case MULTI_POINT_READ -> key.partitions(values);
      default -> 0;
    };
  }
}
