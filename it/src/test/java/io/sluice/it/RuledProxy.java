package io.sluice.it;

import com.datastax.oss.driver.api.core.CqlSession;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.ProxyConfig;
import io.sluice.accept.ListenConfig;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.rule.Rule.RuleClass;
import io.sluice.watch.ClusterConfig;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A proxy of its own with the rules of an operator, before shared nodes. */
abstract class RuledProxy {

  ProxyConfig config;
  Proxy proxy;
  Target ruled;

  private static Rule.Match match(
      String table, RuleClass of, @Nullable Boolean allowFiltering, @Nullable Boolean noLimit) {
    return new Rule.Match(
        null,
        null,
        List.of(table),
        null,
        null,
        List.of("127.0.0.0/8"),
        List.of(of),
        null,
        allowFiltering,
        noLimit);
  }

  static Rule.Match tables(String... tables) {
    return new Rule.Match(null, null, List.of(tables), null, null, null, null, null, null, null);
  }

  static Rule refuse(String name, Rule.Match match) {
    return new Rule(name, match, null, null, Rule.Action.REFUSE, null, "ask ops");
  }

  static Rule atMost(String name, Rule.Match match, Rule.Limits limits) {
    return new Rule(name, match, limits, null, null, null, null);
  }

  @BeforeAll
  void start() throws Exception {
    List<Rule> rules =
        List.of(
            refuse("scans", match("rules.t", RuleClass.RANGE, null, true)),
            refuse("filtering", match("rules.t", RuleClass.RANGE, true, null)),
            atMost(
                "loads",
                match("rules.t", RuleClass.WRITE, null, null),
                new Rule.Limits(null, 5, null, null, Duration.ZERO)),
            atMost(
                "paced",
                match("rules.slow", RuleClass.WRITE, null, null),
                new Rule.Limits(null, 20, null, null, Duration.ofSeconds(20))),
            new Rule(
                "few",
                tables("rules.many"),
                null,
                null,
                null,
                null,
                "ask ops",
                new Rule.Cap(70, 30),
                null),
            new Rule(
                "old",
                tables("rules.old"),
                null,
                0.5,
                Rule.Action.WARN,
                Duration.ofSeconds(5),
                "read rules.many instead",
                null,
                2.0),
            new Rule(
                "behind", tables("rules.behind"), null, null, Rule.Action.QUEUE_LAST, null, null));
    ClusterConfig nodes =
        new ClusterConfig(
            List.of(Stage.plain().direct().address()), "datacenter1", null, Duration.ofSeconds(10));
    config = ProxyConfig.of(ListenConfig.on("127.0.0.1", 0), nodes).withRules(rules);
    proxy = Proxy.start(config, new SimpleMeterRegistry());
    ruled = new Target("Sluice with rules", true, proxy.address(), "rul_");
    try (CqlSession session = open("V5")) {
      session.execute(
          "CREATE KEYSPACE IF NOT EXISTS rules WITH replication"
              + " = {'class': 'SimpleStrategy', 'replication_factor': 1}");
      session.execute("CREATE TABLE IF NOT EXISTS rules.t (k int PRIMARY KEY, v int)");
      session.execute("CREATE TABLE IF NOT EXISTS rules.slow (k int PRIMARY KEY)");
      session.execute("CREATE TABLE IF NOT EXISTS rules.old (k int PRIMARY KEY)");
      session.execute("CREATE TABLE IF NOT EXISTS rules.behind (k int PRIMARY KEY)");
      session.execute(
          "CREATE TABLE IF NOT EXISTS rules.many (k int, c int, v int, PRIMARY KEY (k, c))");
    }
    fill();
  }

  private void fill() {
    try (CqlSession session = JavaDriver.open(Stage.plain().direct(), Wire.USUAL)) {
      for (int k = 0; k < 100; k++) {
        StringBuilder batch = new StringBuilder("BEGIN UNLOGGED BATCH ");
        for (int c = 0; c < 10; c++) {
          batch.append("INSERT INTO rules.many (k, c, v) VALUES (%d, %d, %d); ".formatted(k, c, c));
        }
        session.execute(batch + "APPLY BATCH");
      }
    }
  }

  @AfterAll
  void end() {
    if (proxy != null) {
      proxy.close();
    }
  }

  CqlSession open(String version) {
    return JavaDriver.open(ruled, new Wire(version, "none"));
  }

  void hold(List<Rule> rules) {
    proxy.apply(config.withRules(rules).live());
  }
}
