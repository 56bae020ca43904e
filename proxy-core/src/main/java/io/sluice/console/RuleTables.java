package io.sluice.console;

import io.sluice.decide.rule.RuleFacts;
import io.sluice.ring.Ring;
import io.sluice.wire.ColumnType;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tables {@code rules} and {@code limits}: the use of each rule. Stateless. */
final class RuleTables {

  private RuleTables() {}

  /**
   * A rule.
   *
   * @param problem the reason why it cannot have its effect; null for none
   */
  record RuleRow(RuleFacts rule, @Nullable String problem) {}

  static final TableShape<RuleRow> RULES =
      TableShape.<RuleRow>named(
              "rules", "rules for requests, in order; the first rule that matches applies")
          .partition("place", ColumnType.INT, row -> row.rule().place())
          .column("effect", ColumnType.VARCHAR, row -> row.rule().effect())
          .column("match", ColumnType.VARCHAR, row -> row.rule().match())
          .column("matched", ColumnType.BIGINT, row -> row.rule().matched())
          .column("name", ColumnType.VARCHAR, row -> row.rule().name())
          .column("problem", ColumnType.VARCHAR, RuleRow::problem)
          .column("refused", ColumnType.BIGINT, row -> row.rule().refusals())
          .column("rows", ColumnType.BIGINT, row -> row.rule().rows())
          .column("waited", ColumnType.BIGINT, row -> row.rule().waited())
          .column("waiting", ColumnType.INT, row -> row.rule().waiting());

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

  /** Returns the rows of rules, with the data centres that the cluster does not have. */
  static List<RuleRow> rules(List<RuleFacts> rules, Ring ring) {
    return rules.stream().map(rule -> new RuleRow(rule, problem(rule.datacenter(), ring))).toList();
  }

  private static @Nullable String problem(@Nullable String datacenter, Ring ring) {
    Set<String> known = ring.datacenters();
    return datacenter == null || known.contains(datacenter)
        ? null
        : "the cluster has no data centre "
            + datacenter
            + ", but "
            + String.join(", ", known)
            + ": its reads and writes fail";
  }

  /** Returns the limits of rules. */
  static List<LimitFact> limits(List<RuleFacts> rules) {
    return rules.stream()
        .flatMap(rule -> rule.limits().stream().map(limit -> new LimitFact(rule, limit)))
        .toList();
  }
}
