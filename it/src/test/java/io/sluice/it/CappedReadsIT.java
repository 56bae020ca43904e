package io.sluice.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.sluice.it.cluster.Capability;
import io.sluice.it.cluster.CassandraCluster;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests SELECTs whose LIMIT and page size a rule lowers, as a stock driver meets them. */
@CassandraCluster(needs = Capability.IN_PROCESS_PROXY)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CappedReadsIT extends RuledProxy {

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
}
