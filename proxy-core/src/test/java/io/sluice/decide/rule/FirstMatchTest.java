package io.sluice.decide.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Select;
import io.sluice.decide.classify.StatementShape;
import io.sluice.decide.rule.Rule.RuleClass;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the rule of a request is the first that matches, as a linear search finds it. */
class FirstMatchTest {

  private static final List<String> ROLES = List.of("analytics", "shop", "reports", "a*");
  private static final List<String> KEYSPACES = List.of("shop", "logs", "Shop");
  private static final List<String> TABLES = List.of("events", "shop.events", "logs.events", "t");
  private static final List<String> APPLICATIONS = List.of("spark*", "spark", "etl", "*");
  private static final List<String> ADDRESSES =
      List.of("10.0.0.0/8", "10.1.2.3", "10.1.0.0/17", "0.0.0.0/0", "::1", "fe80::/10");
  private static final List<String> TEXTS =
      List.of(
          "SELECT v FROM shop.events WHERE k = 1",
          "SELECT v FROM shop.events WHERE k IN (1, 2)",
          "SELECT v FROM shop.events",
          "SELECT v FROM events",
          "SELECT v FROM events LIMIT 10",
          "SELECT v FROM logs.events WHERE v = 1 ALLOW FILTERING",
          "SELECT v FROM logs.events WHERE v = 1 LIMIT 5 ALLOW FILTERING",
          "SELECT v FROM \"Shop\".t WHERE token(k) > 4 LIMIT ?",
          "INSERT INTO shop.events (k, v) VALUES (1, 2)",
          "CREATE TABLE shop.t (k int PRIMARY KEY)",
          "TRUNCATE shop.events",
          "LIST ROLES",
          "no cql at all",
          "SELECT * FROM system.local",
          "USE shop",
          "SELECT * FROM system_proxy.nodes");

  private final Random random = new Random(7);

  private <T> List<T> some(List<T> all) {
    List<T> chosen = new ArrayList<>();
    if (random.nextInt(3) == 0) {
      for (int i = 0; i <= random.nextInt(2); i++) {
        chosen.add(all.get(random.nextInt(all.size())));
      }
    }
    return chosen;
  }

  private <T> @Nullable T maybe(List<T> all) {
    return random.nextInt(2) == 0 ? null : all.get(random.nextInt(all.size()));
  }

  private Rule.Match anyMatch() {
    List<String> digests =
        TEXTS.stream().map(text -> "%016x".formatted(TestRules.statement(text).digest())).toList();
    return new Rule.Match(
        some(ROLES),
        some(KEYSPACES),
        some(TABLES),
        some(APPLICATIONS),
        some(APPLICATIONS),
        some(ADDRESSES),
        some(List.of(RuleClass.values())),
        some(digests),
        random.nextInt(4) == 0 ? random.nextBoolean() : null,
        random.nextInt(4) == 0 ? random.nextBoolean() : null);
  }

  private SessionFacts anyClient() {
    List<String> applications = List.of("spark", "spark-3.5", "etl", "");
    InetAddress address =
        maybe(
            List.of("10.0.0.1", "10.1.2.3", "10.1.127.9", "10.1.128.9", "192.168.0.1", "::1")
                .stream()
                .map(TestRules::address)
                .toList());
    return new SessionFacts(
        ROLES.get(random.nextInt(ROLES.size())), maybe(applications), maybe(applications), address);
  }

  /** By the words of the documentation, one rule after another. */
  private static int byHand(List<Rule> rules, SessionFacts client, Classified statement) {
    RuleClass of = RuleClass.of(statement.shape());
    for (int i = 0; i < rules.size() && of != null; i++) {
      if (byHand(rules.get(i).match(), client, statement, of)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean byHand(
      Rule.Match match, SessionFacts client, Classified statement, RuleClass of) {
    String keyspace = String.valueOf(statement.keyspace());
    String table = String.valueOf(statement.table());
    boolean tables =
        match.table().isEmpty()
            || (statement.table() != null
                && (match.table().contains(table)
                    || (statement.keyspace() != null
                        && match.table().contains(keyspace + "." + table))));
    Select select = statement.select();
    return (match.role().isEmpty() || match.role().contains(client.role()))
        && (match.keyspace().isEmpty() || match.keyspace().contains(keyspace))
        && tables
        && begins(match.application(), client.application())
        && begins(match.driver(), client.driver())
        && inNetworks(match.address(), client.address())
        && (match.shapes().isEmpty() || match.shapes().contains(of))
        && (match.digest().isEmpty()
            || match.digest().contains("%016x".formatted(statement.digest())))
        && (match.allowFiltering() == null
            || (select != null && select.allowFiltering() == match.allowFiltering()))
        && (match.noLimit() == null
            || (select != null && (select.limits().rows() == null) == match.noLimit()));
  }

  private static boolean begins(List<String> patterns, @Nullable String name) {
    return patterns.isEmpty()
        || (name != null
            && patterns.stream()
                .anyMatch(each -> name.matches(each.replace(".", "[.]").replace("*", "(?s).*"))));
  }

  private static boolean inNetworks(List<String> networks, @Nullable InetAddress address) {
    return networks.isEmpty()
        || (address != null && networks.stream().anyMatch(each -> isIn(each, address)));
  }

  private static boolean isIn(String network, InetAddress address) {
    String[] parts = network.split("/", -1);
    String bits = bits(TestRules.address(parts[0]));
    int prefix = parts.length == 1 ? bits.length() : Integer.parseInt(parts[1]);
    String of = bits(address);
    return of.length() == bits.length() && of.startsWith(bits.substring(0, prefix));
  }

  private static String bits(InetAddress address) {
    StringBuilder bits = new StringBuilder();
    for (byte each : address.getAddress()) {
      bits.append(String.format("%8s", Integer.toBinaryString(each & 0xFF)).replace(' ', '0'));
    }
    return bits.toString();
  }

  @Test
  void the_first_rule_that_matches_is_found_whatever_was_asked_before() {
    int found = 0;
    int none = 0;
    for (int round = 0; round < 300; round++) {
      List<Rule> rules = anyRules();
      Rules all = new Rules(rules, () -> 0);
      for (int i = 0; i < 5; i++) {
        SessionFacts client = anyClient();
        RuleSession session = all.session(client);
        for (int j = 0; j < 40; j++) {
          Classified statement = TestRules.statement(TEXTS.get(random.nextInt(TEXTS.size())));
          int expected = byHand(rules, client, statement);
          Ruling ruling = all.ruling(session, statement);
          String name = expected < 0 ? null : "rules[" + expected + "]";
          assertThat(ruling == null ? null : ruling.rule())
              .as("%s asks %s under %s", client, statement.shape(), rules)
              .isEqualTo(name);
          found += expected < 0 ? 0 : 1;
          none += expected < 0 ? 1 : 0;
        }
      }
    }
    assertThat(found).isGreaterThan(5_000);
    assertThat(none).isGreaterThan(5_000);
  }

  private List<Rule> anyRules() {
    List<Rule> rules = new ArrayList<>();
    Set<Rule.Match> matches = new HashSet<>();
    int count = random.nextInt(12);
    while (rules.size() < count) {
      Rule.Match match = anyMatch();
      Rule rule = TestRules.rule(match, Rule.Limits.NONE);
      if (!match.equals(Rule.Match.ALL) && matches.add(match) && isUsable(rule)) {
        rules.add(rule);
      }
    }
    return rules;
  }

  private static boolean isUsable(Rule rule) {
    try {
      Rules.check(List.of(rule));
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  @Test
  void statements_that_fall_on_the_same_place_do_not_share_a_rule() {
    Rules rules =
        new Rules(
            List.of(
                TestRules.rule(TestRules.ofClass(RuleClass.POINT), Rule.Limits.NONE),
                TestRules.rule(
                    new Rule.Match(
                        null, null, List.of("shop.t7"), null, null, null, null, null, null, null),
                    Rule.Limits.NONE)),
            () -> 0);
    RuleSession session = rules.session(TestRules.role("r"));
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 500; i++) {
        Ruling point =
            rules.ruling(session, TestRules.statement("SELECT v FROM t" + i + " WHERE k = 1"));
        Ruling range = rules.ruling(session, TestRules.statement("SELECT v FROM t" + i));
        assertThat(point).isNotNull().extracting(Ruling::rule).isEqualTo("rules[0]");
        assertThat(range == null ? null : range.rule()).isEqualTo(i == 7 ? "rules[1]" : null);
      }
    }
  }

  /** What a client may send is bounded by a frame only; rules must not keep it. */
  @Test
  void a_name_that_no_table_can_have_is_looked_at_each_time_and_not_kept() {
    String table = "t".repeat(1 << 20);
    Rules rules =
        new Rules(
            List.of(
                TestRules.rule(
                    new Rule.Match(
                        null, null, List.of(table), null, null, null, null, null, null, null),
                    Rule.Limits.NONE)),
            () -> 0);
    RuleSession session = rules.session(TestRules.role("r"));
    Classified statement = TestRules.statement("SELECT v FROM " + table);
    assertThat(rules.ruling(session, statement)).isNotNull();
    Ruling first = rules.ruling(session, statement);
    assertThat(first).isNotNull().isNotSameAs(rules.ruling(session, statement));
    Classified usual = TestRules.statement("SELECT v FROM t LIMIT 1");
    assertThat(rules.ruling(session, usual)).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5_000, 9_999})
  void ten_thousand_rules_are_one_comparison_for_a_statement_that_was_asked_before(int mine) {
    List<Rule> rules = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      rules.add(TestRules.rule(TestRules.match(List.of("role" + i)), Rule.Limits.NONE));
    }
    Rules all = new Rules(rules, () -> 0);
    RuleSession session = all.session(TestRules.role("role" + mine));
    Classified statement = TestRules.statement("SELECT v FROM t WHERE k = 1");
    Ruling first = all.ruling(session, statement);
    assertThat(first).isNotNull().extracting(Ruling::rule).isEqualTo("rules[" + mine + "]");
    assertThat(all.ruling(session, statement)).as("nothing is made for it").isSameAs(first);
    assertThat(all.facts().get(mine).matched()).isEqualTo(2);
  }

  @Test
  void each_shape_has_the_class_that_the_documentation_names() {
    StringBuilder classes = new StringBuilder();
    for (StatementShape shape : StatementShape.values()) {
      RuleClass of = RuleClass.of(shape);
      classes.append(shape.name().toLowerCase(Locale.ROOT)).append(' ').append(of).append('\n');
    }
    assertThat(classes.toString())
        .isEqualTo(
            """
            point_read POINT
            multi_point_read POINT
            range_read RANGE
            write WRITE
            truncate SCHEMA
            schema SCHEMA
            use null
            system_local null
            proxy null
            node_local null
            unknown_select RANGE
            unknown_write WRITE
            other OTHER
            """);
  }
}
