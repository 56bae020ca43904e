package io.sluice.decide.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Classifier;
import io.sluice.decide.plan.Planner.PlanRequest;
import io.sluice.decide.plan.ScatterPlan.Piece;
import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.ScatterPlan.SubRequest;
import io.sluice.ring.TokenRange;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the plan of one piece that another proxy has cut, and the limits of small reads. */
class ForwardedPlanTest {

  private static final SubRequest PIECE =
      new SubRequest(
          new Piece(
              new TokenRange(ThreeNodes.token(10), ThreeNodes.token(20)),
              List.of(ThreeNodes.B),
              40),
          70);

  private static @Nullable Scatter only(String cql, String... bound) {
    Classified statement =
        new Classifier().classify(cql, null, ThreeNodes.CATALOG, ThreeNodes.RING.partitioner());
    Splittable splittable =
        StatementSplitter.split(cql, statement, ThreeNodes.CATALOG.table("ks", "t"));
    return ScatterPlanner.only(
        splittable,
        new PlanRequest(statement, ThreeNodes.values(bound), 100, 1),
        PIECE,
        ThreeNodes.MINIMUM);
  }

  @Test
  void the_plan_is_the_piece_as_it_came() {
    Scatter plan = only("SELECT * FROM ks.t PER PARTITION LIMIT 3");
    assertThat(plan).isNotNull();
    assertThat(plan.wave()).containsExactly(PIECE);
    assertThat(plan.range()).isEqualTo(PIECE.piece().range());
    assertThat(plan.wanted()).isEqualTo(70);
    assertThat(plan.rowsLeft()).as("LIMIT is the other proxy's").isEqualTo(-1);
    assertThat(plan.perPartition()).isEqualTo(3);
    assertThat(plan.minimum()).isEqualTo(ThreeNodes.MINIMUM);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM ks.t ORDER BY k",
        "SELECT now() FROM ks.t",
        "SELECT * FROM ks.t WHERE k = 1",
        "SELECT * FROM ks.t LIMIT ?",
        "SELECT * FROM ks.t PER PARTITION LIMIT ?",
        "SELECT * FROM ks.t PER PARTITION LIMIT 2 LIMIT ?",
        "INSERT INTO ks.t (k) VALUES (1)",
      })
  void a_statement_that_cannot_be_split_here_has_no_plan(String cql) {
    assertThat(only(cql)).isNull();
  }

  @Test
  void limits_are_bound_values_too() {
    assertThat(only("SELECT * FROM ks.t LIMIT ?", "7")).isNotNull();
    assertThat(only("SELECT * FROM ks.t LIMIT ?", "-7")).isNull();
    Scatter both = only("SELECT * FROM ks.t PER PARTITION LIMIT ? LIMIT ?", "2", "7");
    assertThat(both).isNotNull();
    assertThat(both.perPartition()).isEqualTo(2);
  }

  private static boolean isSmall(SplitConfig.Parallel parallel, String cql, int page) {
    Classified statement =
        new Classifier().classify(cql, null, ThreeNodes.CATALOG, ThreeNodes.RING.partitioner());
    ScatterPlanner planner =
        new ScatterPlanner(new SplitConfig(parallel, 10_000, 0, 6, 1 << 20, false));
    Splittable splittable = planner.splittable(cql, statement, ThreeNodes.CATALOG.table("ks", "t"));
    return planner.isSmall(
        splittable,
        ScatterPlanner.Page.first(new PlanRequest(statement, ThreeNodes.values(), page, 1), 5));
  }

  @ParameterizedTest
  @CsvSource({
    "1, -1, true",
    "1, 0, true",
    "1, 1, true",
    "2, 1, false",
    "32, 0, true",
    "32, 31, false",
    "32, 32, true",
    "32, 33, true",
    "33, 33, false",
    "33, 0, false",
  })
  void a_read_is_small_up_to_a_limit_that_fits_one_page(int limit, int page, boolean small) {
    String cql = "SELECT * FROM ks.t LIMIT " + limit;
    assertThat(isSmall(SplitConfig.Parallel.WAVES, cql, page)).isEqualTo(small);
    assertThat(isSmall(SplitConfig.Parallel.PAPER, cql, page)).as("as in the paper").isFalse();
    assertThat(isSmall(SplitConfig.Parallel.OFF, cql, page)).as("switched off").isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM ks.t LIMIT ?",
        "SELECT * FROM ks.t WHERE k = 1 LIMIT 3",
        "SELECT DISTINCT k FROM ks.t LIMIT 3",
        "SELECT * FROM ks.t PER PARTITION LIMIT 1 LIMIT 3",
        "SELECT now() FROM ks.t LIMIT 3",
      })
  void a_read_that_may_read_more_than_it_returns_is_not_small(String cql) {
    assertThat(isSmall(SplitConfig.Parallel.WAVES, cql, -1)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    // wanted, rows of the piece, rows of earlier pieces, rows to ask for
    "100, 100, 0, 100",
    "100, 100, 30, 70",
    "100, 100, 100, 0",
    "100, 100, 170, 0",
    "100, 20, 30, 20",
    "100, 20, 90, 10",
    "2147483647, 2147483647, 5000000000, 2147483647",
    "2147483647, 50, 99, 50",
  })
  void a_piece_is_asked_for_what_is_missing_at_its_turn(
      int wanted, int rows, long earlier, int asked) {
    assertThat(new SubRequest(PIECE.piece(), rows).rowsAtDispatch(wanted, earlier))
        .isEqualTo(asked);
  }

  /** Cassandra warns of the whole statement, but not of a piece, which has a range of tokens. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT count(*) FROM ks.t | true",
        "SELECT k, max(v) FROM ks.t GROUP BY k | true",
        "SELECT count(*) FROM ks.t WHERE token(k) > 5 | false",
        "SELECT k, max(v) FROM ks.t WHERE token(k) > 5 GROUP BY k | false",
        "SELECT * FROM ks.t | false",
        "SELECT DISTINCT k FROM ks.t | false",
      })
  void an_aggregate_over_the_whole_ring_has_cassandras_warning(String cql, boolean warns) {
    Scatter plan = only(cql);
    assertThat(plan).isNotNull();
    assertThat(plan.warning())
        .isEqualTo(warns ? "Aggregation query used without partition key" : null);
  }
}
