package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Proxy;
import io.sluice.ProxyConfig;
import io.sluice.accept.ListenConfig;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.rule.Rule.RuleClass;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.testkit.Records;
import io.sluice.watch.ClusterConfig;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An operator's rules, as a stock driver meets them: a proxy of its own, before shared nodes. */
@CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RulesIT {

  private static final String SCAN = "SELECT k FROM rules.t";

  /** Together fewer than the 1,024 requests that the driver sends on one connection at a time. */
  private static final int LAST = 900;

  private static final int LATER = 100;
  private static final String ELSEWHERE = "127.0.0.2";
  private static final String MATRIX =
      "SELECT k FROM rules.behind WHERE token(k) > 0 ALLOW FILTERING";

  private ProxyConfig config;
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

  private static Rule.Match tables(String... tables) {
    return new Rule.Match(null, null, List.of(tables), null, null, null, null, null, null, null);
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

  /** Statements, and what Cassandra is asked for in their place. */
  private static Stream<Arguments> statements() {
    List<List<String>> all =
        List.of(
            List.of("SELECT k, c, v FROM rules.many", " LIMIT 70"),
            List.of("SELECT k, c, v FROM rules.many LIMIT 500", ""),
            List.of("SELECT k, c, v FROM rules.many LIMIT 65", ""),
            List.of("SELECT DISTINCT k FROM rules.many", " LIMIT 70"),
            List.of("SELECT k, c FROM rules.many PER PARTITION LIMIT 3", " LIMIT 70"),
            List.of("SELECT JSON * FROM rules.many", " LIMIT 70"),
            List.of("SELECT k, c FROM rules.many WHERE token(k) > 0", " LIMIT 70"),
            List.of("SELECT k, c FROM rules.many WHERE v = 3 ALLOW FILTERING", ""),
            List.of("SELECT k, c FROM rules.many WHERE k IN (1, 2, 3, 4, 5, 6, 7, 8)", " LIMIT 70"),
            List.of("SELECT k, c FROM rules.many WHERE k = 3 ORDER BY c DESC", " LIMIT 70"),
            List.of("SELECT count(*), max(v) FROM rules.many", ""),
            List.of("SELECT k, count(c) FROM rules.many GROUP BY k", ""));
    return Stream.of("V3", "V4", "V5")
        .flatMap(
            version ->
                all.stream()
                    .map(
                        each -> {
                          String cql = each.get(0);
                          String instead =
                              cql.endsWith("FILTERING")
                                  ? cql.replace(" ALLOW", " LIMIT 70 ALLOW")
                                  : cql.replace("500", "70") + each.get(1);
                          return Arguments.of(version, cql, instead);
                        }));
  }

  private static List<String> rows(CqlSession session, Statement<?> statement) {
    return session.execute(statement).all().stream().map(Row::getFormattedContents).toList();
  }

  @ParameterizedTest
  @MethodSource("statements")
  void a_capped_select_is_answered_as_one_with_the_lower_limit(
      String version, String cql, String instead) {
    try (CqlSession direct = JavaDriver.open(Stage.plain().direct(), Wire.USUAL);
        CqlSession session = open(version)) {
      List<String> expected = rows(direct, SimpleStatement.newInstance(instead));
      PreparedStatement prepared = session.prepare(cql);
      for (int pageSize : List.of(5000, 7)) {
        assertThat(rows(session, SimpleStatement.newInstance(cql).setPageSize(pageSize)))
            .as("%d rows a page", pageSize)
            .isEqualTo(expected);
        assertThat(rows(session, prepared.bind().setPageSize(pageSize)))
            .as("prepared, %d rows a page", pageSize)
            .isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"V3", "V4", "V5"})
  void a_bound_limit_is_capped_as_well_and_a_client_is_told_once(String version) {
    Wire wire = new Wire(version, "none");
    try (CqlSession session = open(version)) {
      PreparedStatement prepared = session.prepare("SELECT k FROM rules.many LIMIT ?");
      ResultSet rows = session.execute(prepared.bind(500));
      List<String> told = rows.getExecutionInfo().getWarnings();
      assertThat(rows.getAvailableWithoutFetching()).as("rows of a page").isEqualTo(30);
      assertThat(rows.all()).hasSize(70);
      assertThat(rows.getExecutionInfos()).hasSize(3);
      assertThat(rows.getExecutionInfos().get(1).getWarnings()).isEmpty();
      assertThat(told)
          .isEqualTo(
              wire.atLeast("V4")
                  ? List.of(
                      "Rule few: LIMIT is 70, and no rows beyond it are returned; ask ops",
                      "Rule few: the page size is 30 rows (cap.pageSize)")
                  : List.of());
      assertThat(session.execute(prepared.bind(7)).all()).hasSize(7);
      if (wire.atLeast("V4")) {
        assertThat(session.execute(prepared.bind()).all()).as("unset").hasSize(70);
      }
      session.execute("USE rules");
      PreparedStatement unqualified = session.prepare("SELECT k FROM many");
      session.execute("USE system");
      assertThat(session.execute(unqualified.bind()).all()).hasSize(70);
    }
  }

  @Test
  void a_client_is_warned_and_its_hints_are_heard() {
    try (CqlSession session = open("V5")) {
      String old = "SELECT k FROM rules.old WHERE k = 1";
      assertThat(session.execute(old).getExecutionInfo().getWarnings())
          .containsExactly("Rule old: read rules.many instead");
      assertThat(warnings(session, "/* sluice: priority=high */ " + old))
          .containsExactly("Rule old: read rules.many instead");
      String many = "SELECT k FROM rules.behind WHERE k = 1";
      assertThat(warnings(session, "/* sluice: priority=low */ " + many)).isEmpty();
      assertThat(warnings(session, "/* sluice: priority=high */ " + many))
          .containsExactly("No rule of Sluice lets this statement have priority=high (raise)");
      ByteBuffer most = ByteBuffer.wrap("most".getBytes(StandardCharsets.UTF_8));
      assertThat(
              session
                  .execute(
                      SimpleStatement.newInstance(many)
                          .setCustomPayload(Map.of("sluice-priority", most)))
                  .getExecutionInfo()
                  .getWarnings())
          .containsExactly("Sluice does not know this priority: it may be low, normal or high");
    }
  }

  /** A matcher of a rule, with a value that is true of {@link #MATRIX}, and one that is not. */
  private static Rule.Match matcher(String name, boolean matches, String digest) {
    return new Rule.Match(
        only(name, "role", matches ? "anonymous" : "etl"),
        only(name, "keyspace", matches ? "rules" : "other"),
        only(name, "table", matches ? "behind" : "old"),
        only(name, "application", matches ? "reports-*" : "etl"),
        only(name, "driver", matches ? "*" : "gocql"),
        only(name, "address", matches ? "127.0.0.0/8" : "10.0.0.0/8"),
        name.equals("class") ? List.of(matches ? RuleClass.RANGE : RuleClass.POINT) : null,
        only(name, "digest", matches ? digest : "0123456789abcdef"),
        name.equals("allowFiltering") ? Boolean.valueOf(matches) : null,
        name.equals("noLimit") ? Boolean.valueOf(matches) : null);
  }

  private static @Nullable List<String> only(String name, String key, String value) {
    return name.equals(key) ? List.of(value) : null;
  }

  private void hold(List<Rule> rules) {
    proxy.apply(config.withRules(rules).live());
  }

  /** Each matcher by itself refuses what it is for, and nothing else. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "role",
        "keyspace",
        "table",
        "application",
        "driver",
        "address",
        "class",
        "digest",
        "allowFiltering",
        "noLimit"
      })
  void each_matcher_holds_for_what_it_names(String name) {
    try (CqlSession session =
        JavaDriver.builder(ruled, Wire.USUAL, false).withApplicationName("reports-7").build()) {
      session.execute(MATRIX);
      String digest =
          session
              .execute(
                  "SELECT text, digest FROM system_proxy.statements"
                      + " WHERE keyspace_name = 'rules' AND table_name = 'behind'")
              .all()
              .stream()
              .filter(row -> String.valueOf(row.getString("text")).contains("FILTERING"))
              .map(row -> Objects.requireNonNull(row.getString("digest")))
              .findFirst()
              .orElseThrow(AssertionError::new);
      hold(List.of(refuse("matrix", matcher(name, false, digest))));
      session.execute(MATRIX);
      hold(List.of(refuse("matrix", matcher(name, true, digest))));
      assertThatThrownBy(() -> session.execute(MATRIX))
          .isInstanceOf(InvalidQueryException.class)
          .hasMessageStartingWith("Rule matrix refuses this statement");
    } finally {
      hold(config.rules());
    }
  }

  /** Each limit by itself, without a wait; the rate of requests has tests of its own. */
  @Test
  void each_limit_refuses_what_is_beyond_it() throws Exception {
    try (CqlSession session = open("V5")) {
      String all = "SELECT * FROM rules.many";
      hold(
          List.of(
              atMost(
                  "scans",
                  tables("rules.many"),
                  new Rule.Limits(1, null, null, null, Duration.ZERO))));
      List<CompletableFuture<String>> scans = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        scans.add(
            session
                .executeAsync(all)
                .handle((rows, error) -> error == null ? "rows" : String.valueOf(error))
                .toCompletableFuture());
      }
      List<String> outcomes = scans.stream().map(CompletableFuture::join).toList();
      assertThat(outcomes)
          .contains("rows")
          .anyMatch(each -> each.contains("than rangeReads allows"));

      hold(
          List.of(
              atMost(
                  "rows",
                  tables("rules.many"),
                  new Rule.Limits(null, null, 100, null, Duration.ZERO))));
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 10; i++) {
                  session.execute(all).all();
                }
              })
          .hasMessageContaining("Rule rows: more was asked for than rowsPerSecond allows");

      hold(
          List.of(
              atMost(
                  "links",
                  new Rule.Match(
                      null, null, null, null, null, List.of(ELSEWHERE), null, null, null, null),
                  new Rule.Limits(null, null, null, 1, Duration.ZERO))));
      byte[] startup = Bytes.frame(4, 0, 0, Bytes.STARTUP, Bytes.startup());
      try (RawConnection one = new RawConnection(proxy.address(), ELSEWHERE);
          RawConnection two = new RawConnection(proxy.address(), ELSEWHERE)) {
        one.send(startup);
        assertThat(one.outcome(10_000)).doesNotContain("Rule");
        two.send(startup);
        assertThat(two.outcome(10_000)).contains("Rule links");
      }
    } finally {
      hold(config.rules());
    }
  }

  /** Each second one request may begin; the next one would wait longer than the rule's timeout. */
  @Test
  void a_read_ends_at_the_timeout_of_its_rule() {
    try (CqlSession session = open("V5")) {
      hold(List.of(oneEachSecond(null)));
      assertThat(outcomes(session)).containsOnly("rows");
      hold(List.of(oneEachSecond(Duration.ofMillis(100))));
      assertThat(outcomes(session)).anyMatch(each -> each.contains("ReadTimeoutException"));
    } finally {
      hold(config.rules());
    }
  }

  private static Rule oneEachSecond(@Nullable Duration timeout) {
    Rule.Limits limits = new Rule.Limits(null, 1, null, null, Duration.ofSeconds(20));
    return new Rule("hasty", tables("rules.many"), limits, null, null, timeout, null);
  }

  private static List<String> outcomes(CqlSession session) {
    List<CompletableFuture<String>> reads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      reads.add(
          session
              .executeAsync("SELECT v FROM rules.many WHERE k = 1")
              .handle((rows, error) -> error == null ? "rows" : String.valueOf(error))
              .toCompletableFuture());
    }
    return reads.stream().map(CompletableFuture::join).toList();
  }

  /**
   * Reads of the same partition that come later pass those that a rule has put behind all. One read
   * at a time runs at the node, so that there is a queue on any machine.
   */
  @Test
  void reads_that_a_rule_queues_last_are_passed_by_those_that_come_later() {
    try (CqlSession session = open("V5")) {
      PreparedStatement behind = session.prepare("SELECT k FROM rules.behind WHERE k = 1");
      PreparedStatement other = session.prepare("SELECT v FROM rules.many WHERE k = 1");
      proxy.apply(
          Records.with(
                  config, "scheduling", Records.with(config.scheduling(), "concurrentReads", 1))
              .live());
      AtomicInteger left = new AtomicInteger(LAST);
      List<CompletableFuture<?>> last = new ArrayList<>();
      List<CompletableFuture<?>> later = new ArrayList<>();
      for (int i = 0; i < LAST; i++) {
        last.add(
            session
                .executeAsync(behind.bind())
                .thenRun(left::decrementAndGet)
                .toCompletableFuture());
      }
      for (int i = 0; i < LATER; i++) {
        later.add(session.executeAsync(other.bind()).toCompletableFuture());
      }
      CompletableFuture.allOf(later.toArray(CompletableFuture[]::new)).join();
      assertThat(left).as("reads of the rule that wait still").hasPositiveValue();
      CompletableFuture.allOf(last.toArray(CompletableFuture[]::new)).join();
    } finally {
      hold(config.rules());
    }
  }

  private static List<String> warnings(CqlSession session, String cql) {
    return session.execute(cql).getExecutionInfo().getWarnings();
  }
}
