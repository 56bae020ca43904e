package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.PriorityClass;
import org.junit.jupiter.api.Test;

/** Tests that the memory for tables is bounded, because clients choose the names freely. */
class ManyTablesTest {
  private static final int MEGABYTE = 1 << 20;

  private final Bench bench = new Bench(Bench.remainingWork(4), 8, A);

  private TestDemand read(String table) {
    Query query =
        bench.scheduler.query(
            new QueryFacts(PriorityClass.RANGE, table, "t", Long.MAX_VALUE, 10, 10, 1));
    bench.started.clear();
    return bench.submit(query, 10, A);
  }

  @Test
  void a_thousand_table_names_of_a_megabyte_stay_within_the_limit() {
    String name = "x".repeat(MEGABYTE);
    for (int i = 0; i < 1_000; i++) {
      read(name + i).finish(10, 100);
    }

    assertThat(bench.scheduler.tableBytes()).isLessThanOrEqualTo(CostsByTable.MAX_BYTES);
  }

  @Test
  void the_costs_of_ten_thousand_tables_are_kept() {
    for (int i = 0; i < 10_000; i++) {
      read("ks.table_" + i).finish(10, 10_000);
    }

    assertThat(bench.scheduler.tableBytes())
        .isGreaterThan(10_000 * 600L)
        .isLessThan(CostsByTable.MAX_BYTES);
  }

  @Test
  void with_many_nodes_each_keeps_the_costs_of_few_tables() {
    NodeCosts costs = new NodeCosts(1_000);
    for (int i = 0; i < 10_000; i++) {
      costs.expect(bench.demand(bench.scheduler.query(facts("t" + i)), 10, A));
    }

    assertThat(costs.size()).isEqualTo(65);
  }

  private static QueryFacts facts(String table) {
    return QueryFacts.point(table, "t", Long.MAX_VALUE);
  }
}
