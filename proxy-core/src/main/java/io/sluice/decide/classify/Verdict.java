package io.sluice.decide.classify;

import io.sluice.ring.Token;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The only implementation of {@link Classified}.
 *
 * @param knownTable the qualified name of the table that a SELECT reads; null when unknown
 * @param tokens how a range read restricts its token
 * @param heapBytes the approximate memory of the expressions that it keeps
 */
record Verdict(
    StatementShape shape,
    @Nullable String keyspace,
    @Nullable String table,
    @Nullable String knownTable,
    boolean qualified,
    boolean conditional,
    int markers,
    KeyTerms key,
    List<TokenTerm> tokens,
    @Nullable Select select,
    @Nullable OwnStatement own,
    long digest,
    long heapBytes)
    implements Classified {

  @Override
  public Classified asRangeRead() {
    return new Verdict(
        StatementShape.RANGE_READ,
        keyspace,
        table,
        knownTable,
        qualified,
        conditional,
        markers,
        key,
        tokens,
        select,
        own,
        digest,
        heapBytes);
  }

  /**
   * Returns the verdict for a statement of which only the shape is known.
   *
   * @param qualified whether its meaning does not depend on the session's keyspace
   */
  static Verdict notUnderstood(StatementShape shape, boolean qualified, long digest) {
    return new Verdict(
        shape,
        null,
        null,
        null,
        qualified,
        false,
        -1,
        KeyTerms.UNKNOWN,
        List.of(),
        null,
        null,
        digest,
        0);
  }

  @Override
  public @Nullable ByteBuffer routingKey(BoundValues values) {
    return key.serialised(values);
  }

  @Override
  public @Nullable Token startToken(BoundValues values) {
    for (TokenTerm term : tokens) {
      if (term.lower()) {
        return term.token(values);
      }
    }
    return null;
  }

  @Override
  public @Nullable Token token(Restriction restriction, BoundValues values) {
    for (TokenTerm term : tokens) {
      if (term.restriction().equals(restriction)) {
        return term.token(values);
      }
    }
    return null;
  }

  @Override
  public int limit(BoundValues values) {
    Expression rows = select == null ? null : select.limits().rows();
    return rows == null ? -1 : BoundInt.of(rows, values);
  }

  @Override
  public int perPartitionLimit(BoundValues values) {
    Expression rows = select == null ? null : select.limits().perPartition();
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
