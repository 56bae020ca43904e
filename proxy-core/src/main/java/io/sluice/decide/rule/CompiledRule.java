package io.sluice.decide.rule;

import io.sluice.decide.rule.Rule.Limit;
import io.sluice.setting.InvalidSetting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A rule with its place, its matchers and its use.
 *
 * @param place its place in the order, from 0
 * @param rule the rule as configured
 * @param matcher its matchers
 * @param use the use of its limits
 */
record CompiledRule(int place, Rule rule, Matcher matcher, RuleUse use) {

  String name() {
    String name = rule.name();
    return name == null ? "rules[" + place + "]" : name;
  }

  /** Returns the rule's effect on a request of {@code role}. */
  Ruling ruling(String role) {
    Double weight = rule.weight();
    String message = rule.message();
    return new Ruling(
        name(),
        rule.limits().limitsRequests() ? use.quota() : null,
        weight == null ? null : role + " by rule " + name(),
        weight == null ? 1 : weight,
        rule.action() == Rule.Action.QUEUE_LAST,
        rule.timeout() == null ? Long.MAX_VALUE : rule.timeout().toNanos(),
        rule.action() == Rule.Action.REFUSE ? refusal() : null,
        message == null ? "" : message,
        rule.cap(),
        rule.raise() == null ? 0 : rule.raise(),
        rule.action() == Rule.Action.WARN ? "Rule " + name() + ": " + message : null,
        rule.datacenter());
  }

  private String refusal() {
    String message = rule.message();
    return "Rule "
        + name()
        + " refuses this statement: "
        + (message == null ? "ask the operator of Sluice for another way" : message);
  }

  String connectionRefusal() {
    String message = rule.message();
    return "Rule "
        + name()
        + ": as many connections are open as limits.connections allows; "
        + (message == null ? "close some, or have the operator of Sluice raise it" : message);
  }

  /** Returns the rule's state for people. */
  RuleFacts facts(long now) {
    QuotaUse used = use.quota().use(now);
    return new RuleFacts(
        place,
        name(),
        matchText(),
        effectText(),
        rule.match().role(),
        rule.datacenter(),
        use.matches(),
        used.waiting(),
        used.waited(),
        used.rows(),
        limits(used),
        use.refusals(used));
  }

  private List<RuleFacts.LimitFacts> limits(QuotaUse used) {
    Rule.Limits limits = rule.limits();
    List<RuleFacts.LimitFacts> all = new ArrayList<>();
    add(all, Limit.RANGE_READS, limits.rangeReads(), used.rangesUnderWay());
    add(
        all,
        Limit.REQUESTS_PER_SECOND,
        limits.requestsPerSecond(),
        rest(Limit.REQUESTS_PER_SECOND, limits.requestsPerSecond(), used.requestTokens()));
    add(
        all,
        Limit.ROWS_PER_SECOND,
        limits.rowsPerSecond(),
        rest(Limit.ROWS_PER_SECOND, limits.rowsPerSecond(), used.rowTokens()));
    add(all, Limit.CONNECTIONS, limits.connections(), use.connections());
    return all;
  }

  private double rest(Limit limit, @Nullable Integer most, double tokens) {
    return most == null || Double.isNaN(tokens)
        ? 0
        : Math.max(0, use.allowed(limit, most) - tokens);
  }

  private void add(
      List<RuleFacts.LimitFacts> to, Limit limit, @Nullable Integer most, double used) {
    if (most != null) {
      to.add(new RuleFacts.LimitFacts(limit, use.allowed(limit, most), used));
    }
  }

  /** Formats the matchers for people. */
  String matchText() {
    Rule.Match match = rule.match();
    List<String> parts = new ArrayList<>();
    texts(parts, "role", match.role());
    texts(parts, "keyspace", match.keyspace());
    texts(parts, "table", match.table());
    texts(parts, "application", match.application());
    texts(parts, "driver", match.driver());
    texts(parts, "address", match.address());
    texts(parts, "class", match.shapes().stream().map(InvalidSetting::written).toList());
    texts(parts, "digest", match.digest());
    text(parts, "allowFiltering", match.allowFiltering());
    text(parts, "noLimit", match.noLimit());
    return parts.isEmpty() ? "all requests" : String.join(", ", parts);
  }

  private static void texts(List<String> parts, String key, List<String> values) {
    if (!values.isEmpty()) {
      parts.add(key + " " + values.stream().collect(Collectors.joining(" or ")));
    }
  }

  private static void text(List<String> parts, String key, @Nullable Object value) {
    if (value != null) {
      parts.add(key + " " + InvalidSetting.written(value));
    }
  }

  /** Formats the limits and the other effects for people. */
  String effectText() {
    Rule.Limits limits = rule.limits();
    List<String> parts = new ArrayList<>();
    text(parts, "action", rule.action());
    text(parts, Limit.RANGE_READS.key(), limits.rangeReads());
    text(parts, Limit.REQUESTS_PER_SECOND.key(), limits.requestsPerSecond());
    text(parts, Limit.ROWS_PER_SECOND.key(), limits.rowsPerSecond());
    text(parts, Limit.CONNECTIONS.key(), limits.connections());
    text(parts, "weight", rule.weight());
    text(parts, "timeout", rule.timeout());
    text(parts, "cap.limit", rule.cap().limit());
    text(parts, "cap.pageSize", rule.cap().pageSize());
    text(parts, "raise", rule.raise());
    text(parts, "datacenter", rule.datacenter());
    return parts.isEmpty() ? "nothing" : String.join(", ", parts);
  }

  /** Compiles a list of rules. A rule keeps the use that it had before under the same key. */
  static List<CompiledRule> of(List<Rule> rules, Map<Object, RuleUse> before, long now) {
    List<CompiledRule> all = new ArrayList<>(rules.size());
    for (int i = 0; i < rules.size(); i++) {
      Rule rule = rules.get(i);
      RuleUse known = before.get(key(rule));
      RuleUse use = known == null ? new RuleUse(rule.limits(), now) : known;
      all.add(new CompiledRule(i, rule, new Matcher(rule.match()), use));
    }
    return all;
  }

  /** Returns the key that identifies a rule when its limits change: its name, else its matchers. */
  Object key() {
    return key(rule);
  }

  private static Object key(Rule rule) {
    String name = rule.name();
    return name == null ? rule.match() : name;
  }
}
