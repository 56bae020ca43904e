package io.sluice.decide.rule;

import io.sluice.decide.rule.Rule.RuleClass;
import io.sluice.setting.Requirements;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks a list of rules, and refuses those that cannot work. Pure. */
final class RuleCheck {

  static final int MAX_RULES = 10_000;

  private static final Duration MIN_TIMEOUT = Duration.ofMillis(100);
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
  private static final int MAX_PER_SECOND = 1_000_000_000;
  private static final String DELETE = "delete the line";

  private final Requirements requirements = Requirements.of("");
  private String at = "";

  private RuleCheck() {}

  /**
   * Checks that all rules can be used.
   *
   * @throws io.sluice.setting.RefusedSettings with all faults
   */
  static void check(List<Rule> rules) {
    RuleCheck check = new RuleCheck();
    check.requirements.that(
        rules.size() <= MAX_RULES,
        "rules",
        rules.size() + " rules",
        "must be at most " + MAX_RULES,
        "name several roles or tables in one rule");
    Map<Rule.Match, Integer> matches = new HashMap<>();
    Set<String> names = new HashSet<>();
    for (int i = 0; i < rules.size() && i < MAX_RULES; i++) {
      Rule rule = rules.get(i);
      check.at = "rules[" + i + "]";
      check.reached(matches.putIfAbsent(rule.match(), i));
      check.name(rule.name(), names);
      check.match(rule.match());
      check.limits(rule);
      check.effects(rule);
    }
    check.requirements.check();
  }

  /**
   * Checks that the cluster has the data centres that rules name.
   *
   * @param accepted names that need not be known
   * @throws io.sluice.setting.RefusedSettings with all unknown names
   */
  static void checkDatacenters(List<Rule> rules, Set<String> accepted, Collection<String> known) {
    Requirements requirements = Requirements.of("");
    for (int i = 0; i < rules.size(); i++) {
      String name = rules.get(i).datacenter();
      requirements.that(
          name == null || accepted.contains(name) || known.contains(name),
          "rules[" + i + "].datacenter",
          String.valueOf(name),
          "must be a data centre of the cluster, which has " + String.join(", ", known),
          "correct the name, or delete the line");
    }
    requirements.check();
  }

  private void that(boolean holds, String key, Object value, String requirement, String advice) {
    requirements.that(holds, at + "." + key, value, requirement, advice);
  }

  private void reached(@Nullable Integer before) {
    requirements.that(
        before == null,
        at,
        "the rule",
        "must match what no rule before it matches, and rules[" + before + "] matches the same",
        "delete it, or put it first");
  }

  private void name(@Nullable String name, Set<String> names) {
    if (name != null) {
      that(!name.isBlank(), "name", name, "must not be empty", DELETE);
      that(names.add(name), "name", name, "must be the name of one rule", "choose another one");
    }
  }

  private void match(Rule.Match match) {
    each("role", match.role(), role -> !role.isBlank(), "must not be empty", DELETE);
    each(
        "keyspace",
        match.keyspace(),
        keyspace -> !keyspace.isBlank() && keyspace.indexOf('.') < 0,
        "must be the name of a keyspace",
        "write keyspace: shop");
    each(
        "table",
        match.table(),
        RuleCheck::isTable,
        "must be the name of a table, with its keyspace or without",
        "write table: shop.events");
    each(
        "address",
        match.address(),
        address -> Network.of(address) != null,
        "must be an address or a network",
        "write address: 10.1.0.0/16");
    each(
        "digest",
        match.digest(),
        digest -> digest.matches("[0-9a-fA-F]{16}"),
        "must be 16 hexadecimal digits",
        "SELECT digest, text FROM system_proxy.statements shows them");
    each("application", match.application(), text -> !text.isBlank(), "must not be empty", DELETE);
    each("driver", match.driver(), text -> !text.isBlank(), "must not be empty", DELETE);
    for (String table : match.table()) {
      String keyspace = Matcher.TablePattern.of(table).keyspace();
      that(
          keyspace == null || match.keyspace().isEmpty() || match.keyspace().contains(keyspace),
          "match.table",
          table,
          "must be in one of match.keyspace, or no table is meant",
          "delete match.keyspace");
    }
    boolean reads = match.admits(RuleClass.POINT) || match.admits(RuleClass.RANGE);
    boolean selects = reads || match.admits(RuleClass.OTHER);
    that(selects || match.noLimit() == null, "match.noLimit", "it", READS_ONLY, ADD_READS);
    that(
        selects || match.allowFiltering() == null,
        "match.allowFiltering",
        "it",
        READS_ONLY,
        ADD_READS);
  }

  private static final String READS_ONLY = "must not stand beside a class that is no SELECT";
  private static final String ADD_READS = "add range to match.class, or delete the line";

  private static boolean isTable(String table) {
    Matcher.TablePattern name = Matcher.TablePattern.of(table);
    return !name.name().isBlank()
        && name.name().indexOf('.') < 0
        && (name.keyspace() == null || !name.keyspace().isBlank());
  }

  private interface Good {
    boolean is(String value);
  }

  private void each(String key, List<String> values, Good good, String requirement, String advice) {
    for (String value : values) {
      that(good.is(value), "match." + key, value, requirement, advice);
    }
  }

  private void limits(Rule rule) {
    Rule.Limits limits = rule.limits();
    Rule.Match match = rule.match();
    positive("limits.rangeReads", limits.rangeReads());
    positive("limits.requestsPerSecond", limits.requestsPerSecond());
    positive("limits.rowsPerSecond", limits.rowsPerSecond());
    positive("limits.connections", limits.connections());
    Duration wait = limits.maxWait();
    that(
        !wait.isNegative() && wait.compareTo(LONGEST_WAIT) <= 0,
        "limits.maxWait",
        wait,
        "must be 0s to 60s",
        "leave it out for 1s");
    that(
        limits.rangeReads() == null || match.admits(RuleClass.RANGE),
        "limits.rangeReads",
        String.valueOf(limits.rangeReads()),
        "must stand beside a match that range reads can meet",
        "add range to match.class, or delete the line");
    that(
        limits.rowsPerSecond() == null || isOfReads(match),
        "limits.rowsPerSecond",
        String.valueOf(limits.rowsPerSecond()),
        "must stand beside a match that reads can meet: only these return rows",
        "add point or range to match.class, or delete the line");
    that(
        limits.connections() == null || !match.looksAtStatements(),
        "limits.connections",
        String.valueOf(limits.connections()),
        "must stand beside role, application, driver and address only: a connection has no"
            + " statement",
        "write a rule of its own for the connections, before this one");
  }

  private static boolean isOfReads(Rule.Match match) {
    return match.admits(RuleClass.POINT) || match.admits(RuleClass.RANGE);
  }

  private void positive(String key, @Nullable Integer value) {
    if (value != null) {
      that(
          value >= 1 && value <= MAX_PER_SECOND,
          key,
          value,
          "must be 1 to " + MAX_PER_SECOND,
          "write action: refuse for none at all, or leave it out for no limit");
    }
  }

  private void effects(Rule rule) {
    boolean reads = isOfReads(rule.match());
    String aside = "add point or range to match.class, or delete the line";
    Double weight = rule.weight();
    if (weight != null) {
      that(weight > 0 && Double.isFinite(weight), "weight", weight, "must be above 0", "write 0.3");
      that(reads, "weight", weight, "must be for reads: nothing else waits for its turn", aside);
    }
    that(
        rule.action() != Rule.Action.QUEUE_LAST || reads,
        "action",
        "queue-last",
        "must be for reads: nothing else waits for its turn",
        aside);
    Duration timeout = rule.timeout();
    if (timeout != null) {
      that(
          timeout.compareTo(MIN_TIMEOUT) >= 0,
          "timeout",
          timeout,
          "must be at least 100ms",
          "write action: refuse for what must not run at all");
    }
    Double raise = rule.raise();
    if (raise != null) {
      that(raise > 0 && Double.isFinite(raise), "raise", raise, "must be above 0", "write 2");
      that(reads, "raise", raise, "must be for reads: nothing else waits for its turn", aside);
    }
    cap(rule);
    datacenter(rule);
    if (rule.action() == Rule.Action.REFUSE) {
      boolean other =
          rule.limits().limitsRequests()
              || weight != null
              || timeout != null
              || raise != null
              || rule.datacenter() != null
              || !rule.cap().equals(Rule.Cap.NONE);
      that(
          !other,
          "action",
          "refuse",
          "must stand without limits on requests, weight, timeout, cap, raise and datacenter:"
              + " nothing of it runs",
          "delete these, or the action");
    }
    that(
        rule.action() != Rule.Action.WARN || (rule.message() != null && !rule.message().isBlank()),
        "message",
        rule.message() == null ? "nothing" : rule.message(),
        "must say what clients are warned of by action: warn",
        "write message: scan shop.events with the export job");
  }

  private void datacenter(Rule rule) {
    String name = rule.datacenter();
    if (name != null) {
      that(!name.isBlank(), "datacenter", name, "must be the name of a data centre", DELETE);
      that(
          isOfReads(rule.match()) || rule.match().admits(RuleClass.WRITE),
          "datacenter",
          name,
          "must be for reads or writes: nothing else goes to another data centre",
          "add point, range or write to match.class, or delete the line");
    }
  }

  private void cap(Rule rule) {
    Rule.Cap cap = rule.cap();
    positive("cap.limit", cap.limit());
    positive("cap.pageSize", cap.pageSize());
    that(
        cap.equals(Rule.Cap.NONE) || isOfReads(rule.match()),
        "cap",
        "it",
        "must be for reads: nothing else has a LIMIT",
        "add point or range to match.class, or delete the line");
  }
}
