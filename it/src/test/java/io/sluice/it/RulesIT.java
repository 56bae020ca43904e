package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.ProxyConfig;
import io.sluice.accept.ListenConfig;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.rule.RuleClass;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.watch.ClusterConfig;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An operator's rules, as a stock driver meets them: a proxy of its own, before shared nodes. */
@CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RulesIT {

  private static final String SCAN = "SELECT k FROM rules.t";

  private Proxy proxy;
  private Target ruled;

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

  private static Rule refuse(String name, Rule.Match match) {
    return new Rule(name, match, null, null, Rule.Action.REFUSE, null, "ask ops");
  }

  private static Rule atMost(String name, Rule.Match match, Rule.Limits limits) {
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
                new Rule.Limits(null, 20, null, null, Duration.ofSeconds(20))));
    ClusterConfig nodes =
        new ClusterConfig(
            List.of(Stage.plain().direct().address()), "datacenter1", null, Duration.ofSeconds(10));
    ProxyConfig config = ProxyConfig.of(ListenConfig.on("127.0.0.1", 0), nodes).withRules(rules);
    proxy = Proxy.start(config, new SimpleMeterRegistry());
    ruled = new Target("Sluice with rules", true, proxy.address(), "rul_");
    try (CqlSession session = open("V5")) {
      session.execute(
          "CREATE KEYSPACE IF NOT EXISTS rules WITH replication"
              + " = {'class': 'SimpleStrategy', 'replication_factor': 1}");
      session.execute("CREATE TABLE IF NOT EXISTS rules.t (k int PRIMARY KEY, v int)");
      session.execute("CREATE TABLE IF NOT EXISTS rules.slow (k int PRIMARY KEY)");
    }
  }

  @AfterAll
  void end() {
    if (proxy != null) {
      proxy.close();
    }
  }

  private CqlSession open(String version) {
    return JavaDriver.open(ruled, new Wire(version, "none"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"V3", "V4", "V5"})
  void a_refused_scan_is_told_why_and_other_reads_go_on(String version) {
    try (CqlSession session = open(version)) {
      assertThatThrownBy(() -> session.execute(SCAN))
          .isInstanceOf(InvalidQueryException.class)
          .hasMessage("Rule scans refuses this statement: ask ops");
      PreparedStatement prepared = session.prepare(SCAN);
      assertThatThrownBy(() -> session.execute(prepared.bind()))
          .isInstanceOf(InvalidQueryException.class)
          .hasMessageContaining("Rule scans");
      assertThatThrownBy(() -> session.execute(SCAN + " WHERE v = 1 LIMIT 1 ALLOW FILTERING"))
          .hasMessageContaining("Rule filtering");
      session.execute(SCAN + " LIMIT 10").all();
      session.execute(SCAN + " WHERE k = 1").all();
      session.execute("SELECT k FROM rules.slow").all();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"V3", "V4", "V5"})
  void writes_over_a_rate_are_refused_with_the_rule_that_says_so(String version) {
    try (CqlSession session = open(version)) {
      assertThatThrownBy(
              () -> {
                for (int k = 0; k < 200; k++) {
                  session.execute("INSERT INTO rules.t (k, v) VALUES (" + k + ", 0)");
                }
              })
          .as("200 writes one after the other, of which five may begin in a second")
          .hasMessageContaining("Rule loads: more was asked for than requestsPerSecond allows");
      Row limit =
          Objects.requireNonNull(
              session
                  .execute("SELECT allowed, refused FROM system_proxy.limits WHERE name = 'loads'")
                  .one());
      assertThat(limit.getDouble("allowed")).isEqualTo(5);
      assertThat(limit.getLong("refused")).isPositive();
    }
  }

  @Test
  void requests_over_a_limit_wait_for_it_first() {
    try (CqlSession session = open("V5")) {
      for (int k = 0; k < 40; k++) {
        session.execute("INSERT INTO rules.slow (k) VALUES (" + k + ")");
      }
      assertThat(session.execute("SELECT k FROM rules.slow").all()).hasSize(40);
      Row rule =
          Objects.requireNonNull(
              session
                  .execute("SELECT waited, refused FROM system_proxy.rules WHERE name = 'paced'")
                  .one());
      assertThat(rule.getLong("waited")).isPositive();
      assertThat(rule.getLong("refused")).isZero();
    }
  }

  @Test
  void explain_says_which_rule_a_read_is_subject_to() {
    try (CqlSession session = open("V5")) {
      assertThat(session.execute("EXPLAIN " + SCAN).all())
          .filteredOn(row -> "rule".equals(row.getString("step")))
          .singleElement()
          .satisfies(row -> assertThat(row.getString("note")).startsWith("scans ("));
      assertThat(session.execute("EXPLAIN " + SCAN + " LIMIT 10").all())
          .noneMatch(row -> "rule".equals(row.getString("step")));
    }
  }
}
