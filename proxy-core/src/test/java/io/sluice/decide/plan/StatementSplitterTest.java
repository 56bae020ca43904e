package io.sluice.decide.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.classify.Classified;
import io.sluice.decide.classify.Classifier;
import io.sluice.decide.plan.Planner.PlanRequest;
import io.sluice.decide.plan.ScatterPlan.Scatter;
import io.sluice.decide.plan.ScatterPlanner.ClusterKnowledge;
import io.sluice.decide.plan.ScatterPlanner.Page;
import io.sluice.decide.plan.Splittable.Reason;
import io.sluice.decide.plan.Splittable.Whole;
import io.sluice.ring.Table;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests which statements are split, by the schema and the text. The golden file has other cases.
 */
class StatementSplitterTest {

  private static final String SCAN = "SELECT * FROM ks.t";
  private static final Table OPEN = Objects.requireNonNull(ThreeNodes.CATALOG.table("ks", "t"));
  private static final ClusterKnowledge KNOWN =
      new ClusterKnowledge(ThreeNodes.RING, new EvenDensity(30_000, ThreeNodes.MINIMUM), 0);

  private final ScatterPlanner planner =
      new ScatterPlanner(new SplitConfig(SplitConfig.Parallel.WAVES, 10_000, 0, 6, 1 << 20, false));

  private static Table table(boolean masked, Set<String> functions) {
    return new Table(
        "ks",
        "t",
        OPEN.partitionKey(),
        OPEN.clustering(),
        OPEN.types(),
        false,
        masked,
        functions,
        Set.of());
  }

  private static Classified classified(String cql) {
    return new Classifier().classify(cql, null, ThreeNodes.CATALOG, ThreeNodes.RING.partitioner());
  }

  private Splittable splittable(String cql, Table table) {
    return planner.splittable(cql, classified(cql), table);
  }

  private Splittable ofThin(String cql) {
    return splittable(
        cql.replace("FROM thin", "FROM ks.thin"),
        Objects.requireNonNull(ThreeNodes.CATALOG.table("ks", "thin")));
  }

  private ScatterPlan plan(String cql, Table table, @Nullable ResumePoint from) {
    PlanRequest asked = new PlanRequest(classified(cql), ThreeNodes.values("9"), 100, 1);
    return planner.plan(
        splittable(cql, table), new Page(asked, 5, from, ThreeNodes.token(15)), KNOWN);
  }

  @Test
  void a_table_with_a_masked_column_is_not_split() {
    Table masked = table(true, Set.of());
    assertThat(splittable(SCAN, OPEN)).isNotInstanceOf(Whole.class);
    assertThat(splittable(SCAN, masked)).isEqualTo(new Whole(Reason.MASKED));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM ks.t WHERE v = 1",
        "SELECT * FROM ks.t WHERE v = 1 ALLOW FILTERING",
        "SELECT * FROM ks.t WHERE token(k) > 5 AND v = 1 AND s > 2 ALLOW FILTERING",
        "SELECT count(*) FROM ks.t WHERE d = 'x' ALLOW FILTERING",
        "SELECT * FROM ks.t WHERE token(k) > 5 AND d = 'x'",
        "SELECT * FROM ks.t WHERE l CONTAINS 1 ALLOW FILTERING",
        "SELECT * FROM ks.t WHERE (c, d) > (1, 'x') ALLOW FILTERING"
      })
  void a_read_through_an_index_is_not_split(String cql) {
    Table indexed = OPEN.withIndexed(Set.of("v")).withIndexed(Set.of("d", "l"));
    assertThat(plan(cql, indexed, null)).isEqualTo(new Whole(Reason.INDEXED));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT * FROM ks.t WHERE v = 1                                | INDEXED",
        "SELECT * FROM ks.t WHERE token(k) > 5 AND s = 1               | INDEXED",
        "SELECT * FROM ks.t WHERE l CONTAINS 1                         | INDEXED",
        "SELECT * FROM ks.t WHERE v = 1 ALLOW FILTERING                | ",
        "SELECT * FROM ks.t WHERE token(k) > 5 AND c > 1               | ",
        "SELECT * FROM ks.t WHERE token(k) > 5 AND (c, d) > (1, 'x')   | "
      })
  void without_allow_filtering_a_regular_column_must_have_an_index(
      String cql, @Nullable String reason) {
    ScatterPlan plan = plan(cql, OPEN, null);
    if (reason == null) {
      assertThat(plan).isInstanceOf(Scatter.class);
    } else {
      assertThat(plan).isEqualTo(new Whole(Reason.valueOf(reason)));
    }
  }

  @Test
  void a_split_read_stays_split_when_an_index_is_created() {
    String cql = SCAN + " WHERE v = 1 ALLOW FILTERING";
    assertThat(plan(cql, OPEN, null)).isInstanceOf(Scatter.class);
    Table indexed = OPEN.withIndexed(Set.of("v"));
    ResumePoint after = new ResumePoint(ThreeNodes.token(30), null, null, -1, -1);
    assertThat(plan(cql, indexed, after)).isInstanceOf(Scatter.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT log(v) FROM ks.t",
        "SELECT k, v + \"log\"(v) FROM ks.t",
        "SELECT sum(v) FROM ks.t",
        "SELECT * FROM ks.t WHERE v = log(1) ALLOW FILTERING"
      })
  void a_function_with_a_name_that_a_user_has_given_too_is_not_split(String cql) {
    Table withFunctions = table(false, Set.of("log", "sum"));
    assertThat(splittable(cql, OPEN)).isNotInstanceOf(Whole.class);
    assertThat(splittable(cql, withFunctions)).isEqualTo(new Whole(Reason.FUNCTION));
    String ofCassandra = cql.replace("log(", "system.log(").replace("sum(", "system.sum(");
    assertThat(splittable(ofCassandra.replace("\"log\"", "system.log"), withFunctions))
        .isNotInstanceOf(Whole.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT count(*) FROM thin WHERE timestamp_ < 'now' ALLOW FILTERING",
        "SELECT * FROM thin WHERE timestamp_ > $$NOW$$ ALLOW FILTERING",
        "SELECT * FROM thin WHERE timestamp_ > '2026-01-01 10:00' ALLOW FILTERING",
        "SELECT * FROM thin WHERE timestamp_ IN ('2026-01-01 10:00Z', 'now') ALLOW FILTERING",
        "SELECT * FROM thin WHERE timestamp_ < 'now' - 1d ALLOW FILTERING",
        "SELECT * FROM thin WHERE uuid_ < maxTimeuuid('now') ALLOW FILTERING",
        "SELECT * FROM thin WHERE inet_ = 'node.example' ALLOW FILTERING",
        "SELECT * FROM thin WHERE (timestamp_, text_) > ('now', 'a') ALLOW FILTERING",
        "SELECT * FROM thin WHERE times_['now'] = 'a' ALLOW FILTERING",
        "SELECT * FROM thin WHERE times_ CONTAINS KEY 'now' ALLOW FILTERING",
        "SELECT * FROM thin WHERE unknown_ = 'now' ALLOW FILTERING",
        "SELECT k, (timestamp)'now' FROM thin",
        "SELECT k, toDate('now') FROM thin",
        "SELECT k, timestamp_ - 'now' FROM thin",
        "SELECT k, times_['now'] FROM thin"
      })
  void a_read_is_not_split_if_a_literal_depends_on_the_node_or_the_moment(String cql) {
    assertThat(ofThin(cql)).isEqualTo(new Whole(Reason.LITERAL_IN_DOUBT));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM thin WHERE text_ = 'now' ALLOW FILTERING",
        "SELECT * FROM thin WHERE date_ = '2026-01-01' ALLOW FILTERING",
        "SELECT * FROM thin WHERE timestamp_ > 0 AND timestamp_ < ? ALLOW FILTERING",
        "SELECT * FROM thin WHERE timestamp_ > '2026-01-01 10:00+0000' ALLOW FILTERING",
        "SELECT * FROM thin WHERE uuid_ < maxTimeuuid('2026-01-01T10:00Z') ALLOW FILTERING",
        "SELECT * FROM thin WHERE inet_ = '127.0.0.1' ALLOW FILTERING",
        "SELECT * FROM thin WHERE (timestamp_, text_) > (5, 'now') ALLOW FILTERING",
        "SELECT * FROM thin WHERE names_['now'] = 'now' ALLOW FILTERING",
        "SELECT k, names_['now'], (text)'now' FROM thin"
      })
  void a_read_is_split_if_all_nodes_read_its_literals_alike(String cql) {
    assertThat(ofThin(cql)).isNotInstanceOf(Whole.class);
  }
}
