package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import io.sluice.testkit.Records;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests an operator's rules, as a stock driver meets them. */
@CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RulesIT extends RuledProxy {

  private static final String SCAN = "SELECT k FROM rules.t";

  /** Together fewer than the 1,024 requests that the driver sends on one connection at a time. */
  private static final int LAST = 900;

  private static final int LATER = 100;

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
