package io.sluice.decide.rule;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Select;
import io.sluice.decide.classify.StatementShape;
import io.sluice.decide.rule.Rule.Limit;
import io.sluice.decide.rule.Rule.RuleClass;
import io.sluice.ring.TableName;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one connection. It remembers the rule of each recent statement, so that a request
 * costs a comparison. Not safe for several threads: its lane.
 */
public final class RuleSession {

  /** Number of remembered statements; a power of two. */
  private static final int REMEMBERED = 32;

  private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final SessionFacts client;
  private final OpenConnection connection;
  private RuleBook book;
  private boolean told;
  private long toldAt;
  private @Nullable Found @Nullable [] found;

  /** The facts about a statement that rules compare, and its rule. */
  private record Found(
      long digest,
      StatementShape shape,
      @Nullable String keyspace,
      @Nullable String table,
      boolean select,
      boolean allowFiltering,
      boolean noLimit,
      @Nullable CompiledRule rule,
      @Nullable Ruling ruling) {

    static Found of(Classified statement, @Nullable CompiledRule rule, @Nullable Ruling ruling) {
      Select select = statement.select();
      return new Found(
          statement.digest(),
          statement.shape(),
          statement.keyspace(),
          statement.table(),
          select != null,
          select != null && select.allowFiltering(),
          select != null && select.limits().rows() == null,
          rule,
          ruling);
    }

    boolean isOf(Classified statement) {
      Select other = statement.select();
      return digest == statement.digest()
          && shape == statement.shape()
          && Objects.equals(keyspace, statement.keyspace())
          && Objects.equals(table, statement.table())
          && select == (other != null)
          && (other == null
              || (allowFiltering == other.allowFiltering()
                  && noLimit == (other.limits().rows() == null)));
    }
  }

  RuleSession(SessionFacts client, RuleBook book) {
    this.client = client;
    this.connection = new OpenConnection(client);
    this.book = book;
  }

  /** Switches to other rules. */
  void follow(RuleBook next) {
    if (book != next) {
      book = next;
      found = null;
    }
  }

  OpenConnection connection() {
    return connection;
  }

  /** Returns the name of the rule that applies to the connection; empty without one. */
  public String ruleOfConnection() {
    CompiledRule rule = book.first(client);
    return rule == null ? "" : rule.name();
  }

  /** Returns and counts the effect of the rule for a request; null if no rule applies. */
  @Nullable Ruling ruling(Classified statement) {
    RuleClass of = RuleClass.of(statement.shape());
    if (of == null) {
      return null;
    }
    Found known = known(statement, of);
    if (known.rule != null) {
      known.rule.use().matched();
    }
    return known.ruling;
  }

  /** Counts a request that is refused by the action of its rule. */
  void refused(Classified statement) {
    CompiledRule rule = rule(statement);
    if (rule != null) {
      rule.use().refused(Limit.ACTION);
    }
  }

  /** Returns the effect of the rule for a request, without counting; null if no rule applies. */
  @Nullable Ruling preview(Classified statement) {
    RuleClass of = RuleClass.of(statement.shape());
    return of == null ? null : known(statement, of).ruling;
  }

  /** Whether a second has passed since this was last asked and true. */
  public boolean tellsOfWait(long now) {
    boolean due = !told || now - toldAt >= TELL_NANOS;
    if (due) {
      told = true;
      toldAt = now;
    }
    return due;
  }

  /** Returns the rule for a statement, without counting; null if there is none. */
  @Nullable CompiledRule rule(Classified statement) {
    RuleClass of = RuleClass.of(statement.shape());
    return of == null ? null : known(statement, of).rule;
  }

  private Found known(Classified statement, RuleClass of) {
    @Nullable Found[] all = found;
    if (all == null) {
      all = new Found[REMEMBERED];
      found = all;
    }
    int place =
        (int) (statement.digest() ^ (statement.digest() >>> Integer.SIZE)) & (REMEMBERED - 1);
    Found known = all[place];
    if (known != null && known.isOf(statement)) {
      return known;
    }
    CompiledRule rule = book.first(client, statement, of);
    Ruling ruling = rule == null ? null : rule.ruling(client.role());
    Found now = Found.of(statement, rule, ruling);
    if (isShort(statement.keyspace()) && isShort(statement.table())) {
      all[place] = now;
    }
    return now;
  }

  private static boolean isShort(@Nullable String name) {
    return name == null || name.length() <= TableName.MAX_LENGTH;
  }
}
