package io.sluice.decide.plan;

import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Restriction;
import io.sluice.decide.classify.Restriction.Operator;
import io.sluice.decide.plan.Splittable.Reason;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The range of tokens between the bounds of a statement. A bound that is the minimum token is an
 * open end, as in Cassandra ({@code StatementRestrictions.getPartitionKeyBounds}).
 *
 * @param range null if there is a refusal
 * @param refusal the reason why the range is unknown; null if it is known
 */
record TokenBounds(@Nullable TokenRange range, @Nullable Reason refusal) {

  /**
   * Reads the bounds.
   *
   * @param tokens at most one comparison on each side
   * @param minimum the partitioner's minimum token
   */
  static TokenBounds of(
      Classified statement, List<Restriction> tokens, BoundValues values, Token minimum) {
    Token after = null;
    Token upTo = null;
    for (Restriction restriction : tokens) {
      Token token = statement.token(restriction, values);
      if (token == null || token.compareTo(minimum) < 0) {
        return new TokenBounds(null, Reason.BOUND_UNKNOWN);
      } else if (!token.isMinimum()) {
        Operator operator = restriction.operator();
        boolean before =
            operator == Operator.GTE || operator == Operator.LT || operator == Operator.EQ;
        Token previous = before ? token.previous() : null;
        if (before && previous == null) {
          return new TokenBounds(null, Reason.BOUND_NOT_EXACT);
        }
        switch (operator) {
          case GT -> after = token;
          case GTE -> after = previous;
          case LT -> upTo = previous;
          case LTE -> upTo = token;
          default -> {
            after = previous;
            upTo = token;
          }
        }
      }
    }
    TokenRange range = new TokenRange(after == null || after.isMinimum() ? null : after, upTo);
    return range.isEmpty()
        ? new TokenBounds(null, Reason.EMPTY_RANGE)
        : new TokenBounds(range, null);
  }
}
