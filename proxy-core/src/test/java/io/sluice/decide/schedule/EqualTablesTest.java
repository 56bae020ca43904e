package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.decide.PriorityClass;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that noise does not decide which of two equal reads of different tables goes first. */
class EqualTablesTest {
  private static final int ROWS = 100;
  private static final long ROW_BYTES = 1_000;
  private static final double MILLIS = 5;

  private final Bench bench = new Bench(Bench.remainingWork(4), 8, A);
  private final Random random = new Random(5);

  /** Reads a table a few times; the same read takes 2.7 times as long as another, or more. */
  private void learn(String table, int times, double millis) {
    for (int i = 0; i < times; i++) {
      TestDemand demand = bench.submit(query(table), ROWS, A);
      bench.time.advance((long) (millis * Math.exp(random.nextGaussian() - 0.5) * MS));
      demand.finish(ROWS, ROWS * ROW_BYTES);
    }
  }

  private Query query(String table) {
    return bench.scheduler.query(
        new QueryFacts(PriorityClass.RANGE, table, "t", Long.MAX_VALUE, ROWS, ROWS, 1));
  }

  private double millis(String table) {
    return query(table).remainingMicros() / 1000;
  }

  private static String equal(int table) {
    return "ks.equal_" + table;
  }

  private void learnEqualTables(int tables) {
    IntStream.range(0, tables).forEach(table -> learn(equal(table), 1 + table % 8, MILLIS));
  }

  @Test
  void equal_reads_of_different_tables_have_the_same_place() {
    learnEqualTables(200);

    double[] works = IntStream.range(0, 200).mapToDouble(table -> millis(equal(table))).toArray();

    double[] sorted = IntStream.range(0, 200).mapToDouble(i -> works[i]).sorted().toArray();
    assertThat(sorted[180] / sorted[20]).isLessThan(1.2);
    assertThat(sorted[100]).isBetween(0.5 * MILLIS, 2 * MILLIS);
  }

  @Test
  void the_first_read_of_a_table_has_the_place_of_reads_of_other_tables() {
    learnEqualTables(200);

    assertThat(millis("ks.new")).isCloseTo(millis(equal(8)), within(0.2 * millis(equal(8))));
  }

  @Test
  void a_table_whose_rows_are_larger_has_a_later_place() {
    learn("ks.expensive", 200, 20 * MILLIS);
    learn("ks.cheap", 200, MILLIS / 20);
    learnEqualTables(200);

    assertThat(millis("ks.expensive")).isGreaterThan(3 * millis(equal(0)));
    assertThat(millis("ks.cheap")).isLessThan(millis(equal(0)) / 3);
  }
}
