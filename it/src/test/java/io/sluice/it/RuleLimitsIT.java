package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import io.sluice.decide.rule.Rule;
import io.sluice.decide.rule.Rule.RuleClass;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests each matcher and each limit of a rule by itself, as a stock driver meets them. */
@CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RuleLimitsIT extends RuledProxy {

  private static final String ELSEWHERE = "127.0.0.2";
  private static final String MATRIX =
      "SELECT k FROM rules.behind WHERE token(k) > 0 ALLOW FILTERING";

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
}
