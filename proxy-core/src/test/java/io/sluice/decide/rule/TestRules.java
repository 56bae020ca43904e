package io.sluice.decide.rule;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Classifier;
import io.sluice.decide.rule.Rule.RuleClass;
import io.sluice.ring.Catalog;
import io.sluice.ring.Table;
import io.sluice.ring.TestPartitioner;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules, clients and statements of tests. */
final class TestRules {

  /** {@code shop.events} and {@code shop.users} have the partition key {@code k}. */
  private static final Catalog CATALOG =
      (keyspace, table) -> new Table(keyspace, table, List.of(new Table.KeyColumn("k", "int")));

  private TestRules() {}

  static Classified statement(String cql) {
    return new Classifier().classify(cql, "shop", CATALOG, TestPartitioner.ANY);
  }

  static SessionFacts role(String role) {
    return new SessionFacts(role, null, null, address("10.0.0.1"));
  }

  static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  static Rule.Match match(List<String> roles) {
    return new Rule.Match(roles, null, null, null, null, null, null, null, null, null);
  }

  static Rule.Match ofClass(RuleClass... classes) {
    return new Rule.Match(null, null, null, null, null, null, List.of(classes), null, null, null);
  }

  static Rule.Limits limits(
      @Nullable Integer ranges, @Nullable Integer requests, @Nullable Integer rows) {
    return new Rule.Limits(ranges, requests, rows, null, Duration.ofSeconds(1));
  }

  static Rule.Limits connections(int most) {
    return new Rule.Limits(null, null, null, most, null);
  }

  static Rule rule(Rule.Match match, Rule.Limits limits) {
    return new Rule(null, match, limits, null, null, null, null);
  }

  static Rule named(String name, Rule.Match match, Rule.Limits limits) {
    return new Rule(name, match, limits, null, null, null, null);
  }

  static Rule refusing(Rule.Match match, @Nullable String message) {
    return new Rule(null, match, null, null, Rule.Action.REFUSE, null, message);
  }
}
