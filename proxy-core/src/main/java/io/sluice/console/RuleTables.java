package io.sluice.console;

import io.sluice.decide.rule.RuleFacts;
import io.sluice.wire.ColumnType;
import java.util.List;

/** The tables {@code rules} and {@code limits}: the use of each rule. Stateless. */
final class RuleTables {

  private RuleTables() {}

  static final TableShape<RuleFacts> RULES =
      TableShape.<RuleFacts>named(
              "rules", "rules for requests, in order; the first rule that matches applies")
          .partition("place", ColumnType.INT, RuleFacts::place)
          .column("effect", ColumnType.VARCHAR, RuleFacts::effect)
          .column("match", ColumnType.VARCHAR, RuleFacts::match)
          .column("matched", ColumnType.BIGINT, RuleFacts::matched)
          .column("name", ColumnType.VARCHAR, RuleFacts::name)
          .column("refused", ColumnType.BIGINT, RuleFacts::refusals)
          .column("rows", ColumnType.BIGINT, RuleFacts::rows)
          .column("waited", ColumnType.BIGINT, RuleFacts::waited)
          .column("waiting", ColumnType.INT, RuleFacts::waiting);

  /** One limit of a rule. */
  record LimitFact(RuleFacts rule, RuleFacts.LimitFacts limit) {}

  static final TableShape<LimitFact> LIMITS =
      TableShape.<LimitFact>named("limits", "limits of rules, and their use")
          .partition("name", ColumnType.VARCHAR, fact -> fact.rule().name())
          .clustering("limit_name", ColumnType.VARCHAR, fact -> fact.limit().limit().key())
          .column("allowed", ColumnType.DOUBLE, fact -> fact.limit().allowed())
          .column("match", ColumnType.VARCHAR, fact -> fact.rule().match())
          .column(
              "refused",
              ColumnType.BIGINT,
              fact -> fact.rule().refused().getOrDefault(fact.limit().limit(), 0L))
          .column("used", ColumnType.DOUBLE, fact -> fact.limit().used());

  /** Returns all rules for an operator; for another role, the rules that may apply to it. */
  static List<RuleFacts> seen(List<RuleFacts> all, Asker asker) {
    return all.stream()
        .filter(
            rule ->
                asker.operator()
                    || rule.roles().isEmpty()
                    || rule.roles().stream().anyMatch(asker::sees))
        .toList();
  }

  /** Returns the limits of rules. */
  static List<LimitFact> limits(List<RuleFacts> rules) {
    return rules.stream()
        .flatMap(rule -> rule.limits().stream().map(limit -> new LimitFact(rule, limit)))
        .toList();
  }
}
