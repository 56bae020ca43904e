package io.sluice.decide.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.classify.Classifier;
import io.sluice.decide.classify.Select;
import io.sluice.decide.plan.ResultRows.Kind;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which rows of its table a range read returns, by which densities and costs are kept. */
class ResultRowsTest {

  private static final MergeRule ROWS = new MergeRule.Concatenate(null, false);
  private static final MergeRule FOLD = new MergeRule.Fold(List.of());

  private static Select select(String cql) {
    return Objects.requireNonNull(
        new Classifier()
            .classify(cql, null, ThreeNodes.CATALOG, ThreeNodes.RING.partitioner())
            .select());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT * FROM ks.t | EVERY",
        "SELECT abs(v), ttl(v) FROM ks.t | EVERY",
        "SELECT * FROM ks.t LIMIT 5 | EVERY",
        "SELECT * FROM ks.t WHERE token(k) > 5 | EVERY",
        "SELECT DISTINCT k FROM ks.t | ONE_A_PARTITION",
        "SELECT k, count(*) FROM ks.t GROUP BY k | ONE_A_PARTITION",
        "SELECT k FROM ks.t GROUP BY k | ONE_A_PARTITION",
        "SELECT * FROM ks.t WHERE v = 1 ALLOW FILTERING | SOME",
        "SELECT * FROM ks.t WHERE token(k) > 5 AND v = 1 ALLOW FILTERING | SOME",
        "SELECT * FROM ks.t PER PARTITION LIMIT 1 | SOME",
        "SELECT k FROM ks.t GROUP BY k PER PARTITION LIMIT 1 | SOME",
        "SELECT * FROM ks.t ORDER BY v ANN OF [1, 2] LIMIT 3 | SOME",
        "SELECT * FROM ks.t ORDER BY c | EVERY",
        "SELECT count(*) FROM ks.t | AGGREGATE",
        "SELECT k, count(*) FROM ks.t | AGGREGATE",
        "SELECT now() FROM ks.t | AGGREGATE",
        "SELECT count(*) FROM ks.t WHERE v = 1 ALLOW FILTERING | AGGREGATE",
      })
  void the_kind_of_rows_depends_on_what_is_left_out(String cql, Kind kind) {
    assertThat(Kind.of(select(cql))).isEqualTo(kind);
  }

  @Test
  void a_statement_that_is_no_select_returns_no_rows_of_its_table() {
    assertThat(Kind.of(null)).isEqualTo(Kind.AGGREGATE);
  }

  @ParameterizedTest
  @CsvSource({
    "EVERY, ks.t, true",
    "ONE_A_PARTITION, ks.t ONE_A_PARTITION, false",
    "SOME, ks.t SOME, false",
    "AGGREGATE, ks.t AGGREGATE, false"
  })
  void only_reads_of_every_row_share_the_costs_of_the_table(
      Kind kind, String costs, boolean those) {
    assertThat(kind.costsOf("ks.t")).isEqualTo(costs);
    assertThat(kind.areThoseRead()).isEqualTo(those);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT count(*) FROM ks.t | true",
        "SELECT k, abs(max(v)) FROM ks.t | true",
        "SELECT k FROM ks.t GROUP BY k | true",
        "SELECT k, abs(v) FROM ks.t | false",
        "SELECT now() FROM ks.t | false",
      })
  void a_result_is_combined_from_rows_by_aggregates_and_groups(String cql, boolean combines) {
    assertThat(ResultRows.combines(select(cql))).isEqualTo(combines);
  }

  @Test
  void only_filters_are_told_apart_by_their_text() {
    Select all = select("SELECT * FROM ks.t");
    Select some = select("SELECT * FROM ks.t PER PARTITION LIMIT 1");
    assertThat(ResultRows.of(all, ROWS, "one")).isEqualTo(ResultRows.of(all, ROWS, "other"));
    assertThat(ResultRows.of(some, ROWS, "one")).isEqualTo(new ResultRows(Kind.SOME, "one"));
    assertThat(ResultRows.of(some, FOLD, "one")).isEqualTo(new ResultRows(Kind.AGGREGATE, ""));
  }

  @Test
  void a_long_text_is_kept_as_a_hash() {
    Select some = select("SELECT * FROM ks.t PER PARTITION LIMIT 1");
    String longest = "x".repeat(ResultRows.LONGEST_TEXT);
    assertThat(ResultRows.of(some, ROWS, longest).text()).isEqualTo(longest);
    String hash = ResultRows.of(some, ROWS, longest + "x").text();
    assertThat(hash).matches("[0-9a-f]{64}");
    assertThat(ResultRows.of(some, ROWS, longest + "x").text()).isEqualTo(hash);
    assertThat(ResultRows.of(some, ROWS, longest + "y").text()).isNotEqualTo(hash);
  }
}
