package io.sluice.decide.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.decide.classify.Classifier;
import io.sluice.decide.plan.ScatterPlanner;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.ring.Estimates;
import io.sluice.ring.Estimates.Counted;
import io.sluice.ring.Table;
import io.sluice.ring.Table.KeyColumn;
import io.sluice.ring.TableName;
import io.sluice.ring.TestPartitioner;
import io.sluice.ring.TokenRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DensitiesTest {

  private static final KeyColumn K = new KeyColumn("k", "int");
  private static final KeyColumn C = new KeyColumn("c", "int");
  private static final Table T =
      new Table(
          "ks", "t", List.of(K), List.of(C), Map.of("k", "int", "c", "int", "v", "int"), false);

  private final ScatterPlanner planner =
      new ScatterPlanner(new SplitConfig(SplitConfig.Parallel.WAVES, 1_000, 0, 8, 1 << 20, false));
  private final Densities densities = new Densities();

  private TableDensity of(String cql) {
    return of(cql, T);
  }

  private TableDensity of(String cql, Table table) {
    return of(densities, cql, table);
  }

  private TableDensity of(Densities known, String cql, Table table) {
    var statement =
        new Classifier().classify(cql, null, (keyspace, name) -> table, TestPartitioner.ANY);
    return known.of(table, planner.splittable(cql, statement, table));
  }

  private static Estimates estimates(long partitions) {
    return new Estimates(
        Map.of(
            new TableName("ks", "t"), List.of(new Counted(TokenRange.ALL, partitions, 10)),
            new TableName("ks", "u"), List.of(new Counted(TokenRange.ALL, partitions, 10))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT k FROM ks.t",
        "SELECT k, c, v FROM ks.t LIMIT 7",
        "SELECT v FROM ks.t WHERE token(k) > 5 AND token(k) <= ?",
        "SELECT JSON v, writetime(v) FROM ks.t WHERE token(k) > 9 LIMIT ?"
      })
  void statements_that_return_every_row_share_one_density(String cql) {
    assertThat(of(cql)).isSameAs(of("SELECT * FROM ks.t"));
  }

  @Test
  void statements_that_return_one_row_for_each_partition_share_one_density() {
    assertThat(of("SELECT DISTINCT k FROM ks.t"))
        .isSameAs(of("SELECT k, max(v) FROM ks.t GROUP BY k"))
        .isNotSameAs(of("SELECT k FROM ks.t"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM ks.t WHERE v = ? ALLOW FILTERING",
        "SELECT * FROM ks.t WHERE c > 5 AND token(k) > 5 ALLOW FILTERING",
        "SELECT * FROM ks.t PER PARTITION LIMIT 2",
        "SELECT DISTINCT k FROM ks.t WHERE v = 1 ALLOW FILTERING"
      })
  void filters_with_the_same_text_share_one_density(String cql) {
    assertThat(of(cql)).isSameAs(of(cql)).isNotSameAs(of("SELECT * FROM ks.t"));
  }

  @Test
  void bounds_and_limit_do_not_distinguish_filters() {
    String filter = " AND v = 1 LIMIT %d ALLOW FILTERING";
    assertThat(of("SELECT * FROM ks.t WHERE token(k) > 5" + filter.formatted(1)))
        .isSameAs(of("SELECT * FROM ks.t WHERE token(k) > 6" + filter.formatted(2)))
        .isNotSameAs(of("SELECT * FROM ks.t WHERE token(k) > 6 AND v = 2 ALLOW FILTERING"));
  }

  @Test
  void each_table_has_its_own_density() {
    Table other = new Table("ks", "u", List.of(K));
    assertThat(of("SELECT * FROM ks.u", other)).isNotSameAs(of("SELECT * FROM ks.t"));
  }

  @Test
  void rows_count_as_partitions_only_in_a_table_without_clustering() {
    Table narrow = new Table("ks", "u", List.of(K));
    densities.published(estimates(500));
    TableDensity wide = of("SELECT * FROM ks.t");
    wide.learn(TokenRange.ALL, 5_000, 10);
    assertThat(wide.partitions(TokenRange.ALL)).isCloseTo(500, within(1e-6));
    TableDensity flat = of("SELECT * FROM ks.u", narrow);
    flat.learn(TokenRange.ALL, 5_000, 10);
    assertThat(flat.partitions(TokenRange.ALL)).isCloseTo(5_000, within(1e-6));
  }

  @Test
  void each_actual_row_count_is_reported_with_its_estimate() {
    List<String> reported = new ArrayList<>();
    Densities observed =
        new Densities((estimated, actual) -> reported.add(Math.round(estimated) + " " + actual));
    observed.published(estimates(500));
    of(observed, "SELECT * FROM ks.t", T).learn(TokenRange.ALL, 600, 10);
    assertThat(reported).containsExactly("500 600");
  }

  @Test
  void an_estimate_has_a_source_and_an_age() {
    long[] now = {1_000};
    Densities aged = new Densities((estimated, actual) -> {}, () -> now[0]);
    TableDensity scan = of(aged, "SELECT * FROM ks.t", T);
    TableDensity filter = of(aged, "SELECT * FROM ks.t WHERE v = 1 ALLOW FILTERING", T);
    assertThat(scan.origin()).isEqualTo(TableDensity.Origin.UNKNOWN);

    aged.published(estimates(500));
    now[0] += 30;
    assertThat(scan.origin()).isEqualTo(new TableDensity.Origin(TableDensity.Source.NODES, 30, 0));
    assertThat(filter.origin()).isEqualTo(scan.origin());

    scan.learn(TokenRange.ALL, 600, 10);
    now[0] += 7;
    assertThat(scan.origin()).isEqualTo(new TableDensity.Origin(TableDensity.Source.ANSWERS, 7, 0));
    assertThat(filter.origin()).isEqualTo(scan.origin());

    filter.learn(TokenRange.ALL, 3, 10);
    now[0] += 5;
    assertThat(filter.origin().ageNanos()).isEqualTo(5);
    assertThat(scan.origin().ageNanos()).isEqualTo(12);
  }

  @Test
  void counts_of_nodes_apply_to_statements_at_once() {
    TableDensity scan = of("SELECT * FROM ks.t");
    TableDensity filter = of("SELECT * FROM ks.t WHERE v = 1 ALLOW FILTERING");
    assertThat(scan.known()).isFalse();
    densities.published(estimates(500));
    assertThat(scan.rows(TokenRange.ALL)).isCloseTo(500, within(1e-6));
    assertThat(filter.partitions(TokenRange.ALL)).isCloseTo(500, within(1e-6));
    densities.published(new Estimates(Map.of(new TableName("ks", "t"), List.of())));
    assertThat(scan.known()).isFalse();
  }

  @Test
  void known_tables_are_listed_with_their_sources() {
    assertThat(densities.known()).isEmpty();
    of("SELECT * FROM ks.t");
    assertThat(densities.known()).as("nothing learned after a first request").isEmpty();
    densities.published(estimates(500));
    assertThat(densities.known())
        .hasSize(2)
        .allMatch(each -> each.origin().source() == TableDensity.Source.NODES)
        .allMatch(each -> each.ranges() == 1 && each.meanPartitionBytes() == 10);
    of("SELECT * FROM ks.t").learn(TokenRange.ALL, 400, 10);
    assertThat(densities.known())
        .filteredOn(each -> each.origin().source() == TableDensity.Source.ANSWERS)
        .extracting(Densities.KnownDensity::table)
        .containsExactly(new TableName("ks", "t"));
  }

  @Test
  void aggregates_use_the_estimate_of_their_table_and_do_not_change_it() {
    TableDensity scan = of("SELECT * FROM ks.t");
    scan.learn(TokenRange.ALL, 5_000, 10);
    TableDensity count = of("SELECT count(*) FROM ks.t");
    count.learn(TokenRange.ALL, 1, 8);
    assertThat(count.rows(TokenRange.ALL)).isCloseTo(5_000, within(1e-6));
    assertThat(scan.rows(TokenRange.ALL)).isCloseTo(5_000, within(1e-6));
  }

  @Test
  void ever_new_statements_do_not_fill_the_memory() {
    TableDensity scan = of("SELECT * FROM ks.t");
    long most = Densities.MAX_BYTES / Densities.DENSITY_BYTES;
    for (int i = 0; i < 2 * most; i++) {
      of("SELECT * FROM ks.t WHERE v = " + i + " ALLOW FILTERING");
    }
    assertThat(densities.size()).isLessThanOrEqualTo(most);
    assertThat(of("SELECT * FROM ks.t")).as("used constantly").isSameAs(scan);
  }

  @Test
  void statements_of_a_megabyte_do_not_fill_the_memory() {
    String value = "'" + "x".repeat(1 << 20) + "'";
    for (int i = 0; i < 50; i++) {
      of("SELECT * FROM ks.t WHERE v = " + i + " AND w = " + value + " ALLOW FILTERING");
    }
    assertThat(densities.bytes()).isLessThanOrEqualTo(Densities.MAX_BYTES);
  }

  @Test
  void a_filter_reads_the_table_until_it_has_found_the_wanted_rows() {
    of("SELECT * FROM ks.t").learn(TokenRange.ALL, 10_000, 10);
    TableDensity filter = of("SELECT * FROM ks.t WHERE v = 1 ALLOW FILTERING");
    filter.learn(TokenRange.ALL, 100, 10);
    assertThat(filter.read(TokenRange.ALL, 5_000)).isCloseTo(10_000, within(1e-6));
    assertThat(filter.read(TokenRange.ALL, 10)).isCloseTo(1_000, within(1e-6));
  }

  @Test
  void an_aggregate_reads_the_whole_table_and_a_scan_the_rows_it_returns() {
    TableDensity scan = of("SELECT * FROM ks.t");
    scan.learn(TokenRange.ALL, 10_000, 10);
    assertThat(scan.read(TokenRange.ALL, 10)).isCloseTo(10, within(1e-6));
    assertThat(scan.read(TokenRange.ALL, Integer.MAX_VALUE)).isCloseTo(10_000, within(1e-6));
    assertThat(of("SELECT count(*) FROM ks.t").read(TokenRange.ALL, 5_000))
        .isCloseTo(10_000, within(1e-6));
  }
}
