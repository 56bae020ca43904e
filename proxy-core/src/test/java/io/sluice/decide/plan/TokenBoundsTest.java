package io.sluice.decide.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.classify.BoundValues;
import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Classifier;
import io.sluice.decide.classify.Restriction;
import io.sluice.decide.classify.Select;
import io.sluice.decide.plan.Splittable.Reason;
import io.sluice.ring.Catalog;
import io.sluice.ring.Partitioner;
import io.sluice.ring.Table;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TokenBoundsTest {

  private static TokenBounds bounds(String where, Partitioner partitioner) {
    Catalog catalog =
        (keyspace, table) -> new Table("ks", "t", List.of(new Table.KeyColumn("k", "int")));
    Classified statement =
        new Classifier().classify("SELECT * FROM t WHERE " + where, "ks", catalog, partitioner);
    Select select = Objects.requireNonNull(statement.select(), where);
    List<Restriction> tokens = select.where().restrictions();
    return TokenBounds.of(statement, tokens, BoundValues.NONE, partitioner.minimum());
  }

  private static TokenBounds bounds(String where) {
    return bounds(where, ThreeNodes.RING.partitioner());
  }

  /** Whether Cassandra selects a token by a comparison. The minimum token excludes nothing. */
  private static boolean holds(long token, String operator, long bound) {
    if (bound == Long.MIN_VALUE) {
      return true;
    }
    return switch (operator) {
      case "<" -> token < bound;
      case "<=" -> token <= bound;
      case ">" -> token > bound;
      case ">=" -> token >= bound;
      default -> token == bound;
    };
  }

  private static final long[] VALUES = {
    Long.MIN_VALUE,
    Long.MIN_VALUE + 1,
    Long.MIN_VALUE + 2,
    -1,
    0,
    1,
    2,
    Long.MAX_VALUE - 1,
    Long.MAX_VALUE
  };

  @Test
  void all_comparisons_contain_the_tokens_that_cassandra_selects() {
    for (String lower : List.of(">", ">=")) {
      for (String upper : List.of("<", "<=")) {
        for (long from : VALUES) {
          for (long to : VALUES) {
            TokenBounds bounds =
                bounds("token(k) " + upper + " " + to + " AND token(k) " + lower + " " + from);
            for (int i = 1; i < VALUES.length; i++) {
              long token = VALUES[i];
              assertThat(holds(bounds, token))
                  .as("%s %s %s %s %s", from, lower, token, upper, to)
                  .isEqualTo(holds(token, lower, from) && holds(token, upper, to));
            }
          }
        }
      }
    }
  }

  @Test
  void one_comparison_leaves_the_other_end_open() {
    for (String operator : List.of("<", "<=", ">", ">=", "=")) {
      for (long bound : VALUES) {
        TokenBounds bounds = bounds("token(k) " + operator + " " + bound);
        for (int i = 1; i < VALUES.length; i++) {
          assertThat(holds(bounds, VALUES[i]))
              .as("%s %s %s", VALUES[i], operator, bound)
              .isEqualTo(holds(VALUES[i], operator, bound));
        }
      }
    }
  }

  private static boolean holds(TokenBounds bounds, long token) {
    TokenRange range = bounds.range();
    if (range == null) {
      assertThat(bounds.refusal()).isEqualTo(Reason.EMPTY_RANGE);
      return false;
    }
    assertThat(range.after()).isNotEqualTo(ThreeNodes.MINIMUM);
    assertThat(range.upTo()).isNotEqualTo(ThreeNodes.MINIMUM);
    return range.contains(new Token.Murmur3(token));
  }

  @Test
  void for_keys_in_byte_order_only_bounds_between_two_keys_are_exact() {
    assertThat(bounds("token(k) > 0xab AND token(k) <= 0xac", new Bytes()).range())
        .hasToString("]0xab,0xac]");
    assertThat(bounds("token(k) >= 0xab", new Bytes()).refusal()).isEqualTo(Reason.BOUND_NOT_EXACT);
    assertThat(bounds("token(k) < 0xab", new Bytes()).refusal()).isEqualTo(Reason.BOUND_NOT_EXACT);
    assertThat(bounds("token(k) = 0xab", new Bytes()).refusal()).isEqualTo(Reason.BOUND_NOT_EXACT);
    assertThat(bounds("token(k) < 0xab00", new Bytes()).range()).hasToString("],0xab]");
    assertThat(bounds("token(k) >= 0x", new Bytes()).range()).isEqualTo(TokenRange.ALL);
  }

  /** A partitioner that keeps keys in byte order. */
  private static final class Bytes implements Partitioner {
    @Override
    public String className() {
      return "bytes";
    }

    @Override
    public Token hash(ByteBuffer routingKey) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Token minimum() {
      return new Token.Ordered("");
    }

    @Override
    public @Nullable Token fromValue(ByteBuffer value) {
      return null;
    }

    @Override
    public Token fromLiteral(String cql) {
      return new Token.Ordered(cql.substring(2));
    }
  }
}
