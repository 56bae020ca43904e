package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.plan.ResultRows.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that reads whose row counts read and returned differ do not change the cost of a row. */
class MixedReadsTest {
  private static final String TABLE = "ks.t";
  private static final double ROW_NANOS = 0.023 * MS;

  private final Bench bench = new Bench(Bench.remainingWork(4), 8, A);

  MixedReadsTest() {
    for (int i = 0; i < 300; i++) {
      int rows = List.of(1, 10, 2000).get(i % 3);
      read(TABLE, rows, (long) (0.4 * MS + (rows - 1) * ROW_NANOS)).finish(rows, rows * 300L);
    }
  }

  private Query query(String costs, double rows) {
    return bench.scheduler.query(
        new QueryFacts(PriorityClass.RANGE, costs, "t", Long.MAX_VALUE, rows, (int) rows, 1));
  }

  private TestDemand read(String costs, double rows, long nanos) {
    TestDemand demand = bench.submit(query(costs, rows), rows, A);
    bench.time.advance(nanos);
    return demand;
  }

  private double micros(String costs, double rows) {
    return query(costs, rows).remainingMicros();
  }

  @Test
  void an_aggregate_does_not_change_the_cost_of_scans_and_point_reads() {
    double point = micros(TABLE, 1);
    double scan = micros(TABLE, 2000);
    assertThat(scan).isCloseTo(46_400, within(3_000.0));

    String counts = Kind.AGGREGATE.costsOf(TABLE);
    for (int piece = 0; piece < 64; piece++) {
      read(counts, 10_000, 50 * MS).finishAsExpected(20);
    }

    assertThat(micros(TABLE, 1)).isCloseTo(point, within(0.01 * point));
    assertThat(micros(TABLE, 2000)).isCloseTo(scan, within(0.01 * scan));
    assertThat(micros(counts, 10_000)).isCloseTo(50_000, within(5_000.0));
  }

  @Test
  void the_cost_of_a_filter_depends_on_the_rows_it_reads() {
    String filters = Kind.SOME.costsOf(TABLE);
    for (int i = 0; i < 200; i++) {
      double rows = i % 2 == 0 ? 1_000 : 10_000;
      read(filters, rows, (long) (rows * 0.01 * MS)).finishAsExpected(500);
    }

    assertThat(micros(filters, 1_000)).isCloseTo(10_000, within(2_000.0));
    assertThat(micros(filters, 10_000)).isCloseTo(100_000, within(10_000.0));
  }

  @Test
  void the_duration_of_a_read_counts_from_the_time_it_is_sent() {
    String other = "ks.other";
    for (int i = 0; i < 100; i++) {
      TestDemand demand = read(other, 100, 20 * MS);
      demand.sent();
      bench.time.advance(MS);
      demand.finish(100, 30_000);
    }

    assertThat(micros(other, 100)).isCloseTo(1_000, within(200.0));
  }
}
