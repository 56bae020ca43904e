package io.sluice.decide.predict;

import static io.sluice.decide.predict.Places.between;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.ring.Estimates.Counted;
import io.sluice.ring.Token;
import io.sluice.ring.TokenRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableDensityTest {

  private static double evenly(double place) {
    return place;
  }

  /** Puts nine tenths of the rows on the first fifth of the ring. */
  private static double skewed(double place) {
    return place < 0.9 ? place / 0.9 * 0.2 : 0.2 + (place - 0.9) / 0.1 * 0.8;
  }

  private final List<Double> estimates = new ArrayList<>();
  private long now;
  private PublishedPartitions published = PublishedPartitions.NONE;
  private final TableDensity density = density(Kind.EVERY, null, false);

  private TableDensity density(Kind kind, @Nullable TableDensity table, boolean thin) {
    return new TableDensity(
        kind,
        table,
        thin,
        () -> published,
        new Learning((estimated, actual) -> estimates.add(estimated), () -> now, new NewTables()));
  }

  private static PublishedPartitions counted(long partitions) {
    return new PublishedPartitions(List.of(new Counted(TokenRange.ALL, partitions, 50)));
  }

  private double all() {
    return density.rows(TokenRange.ALL);
  }

  private static Offset<Double> percent(double percent, double of) {
    return within(percent * of / 100 + 1e-9);
  }

  // Before anything is learned.

  @Test
  void a_table_without_counts_and_answers_is_unknown() {
    assertThat(density.known()).isFalse();
    assertThat(all()).isZero();
    assertThat(density.partitions(TokenRange.ALL)).isZero();
    assertThat(density.sigma()).isZero();
    assertThat(density.bytesPerRow()).isZero();
    assertThat(density.largeRowBytes()).isZero();
  }

  @Test
  void the_size_of_large_rows_comes_from_the_answer_with_the_largest_rows() {
    published = counted(1_000);
    assertThat(density.largeRowBytes()).as("from the counts of nodes").isEqualTo(50);
    density.learn(between(0, 0.25), 1_000, 100_000);
    density.learn(between(0.25, 0.5), 10, 100_000);
    assertThat(density.largeRowBytes()).isEqualTo(10_000);
    assertThat(density.bytesPerRow()).isLessThan(250);
  }

  @Test
  void before_any_answer_a_counted_table_has_one_row_for_each_partition() {
    published = counted(1_000);
    assertThat(density.known()).isTrue();
    assertThat(density.rows(between(0, 0.25))).isCloseTo(250, within(1e-6));
    assertThat(density.partitions(between(0, 0.25))).isCloseTo(250, within(1e-6));
    assertThat(density.bytesPerRow()).isEqualTo(50);
  }

  // The rows that a node reads.

  @Test
  void a_filter_with_few_results_reads_the_whole_table() {
    density.learn(TokenRange.ALL, 100_000, 1_000_000);
    TableDensity filtered = density(Kind.SOME, density, false);
    filtered.learn(TokenRange.ALL, 3, 30);
    assertThat(filtered.rows(TokenRange.ALL)).isCloseTo(3, within(1e-6));
    assertThat(filtered.rowsRead(TokenRange.ALL)).isCloseTo(100_000, percent(1, 100_000));
  }

  @Test
  void a_filter_on_an_unknown_table_reads_an_unbounded_number_of_rows() {
    TableDensity filtered = density(Kind.SOME, density, false);
    filtered.learn(TokenRange.ALL, 3, 30);
    assertThat(filtered.rowsRead(TokenRange.ALL)).isInfinite();
  }

  @Test
  void before_any_answer_counted_partitions_are_assumed_to_be_full_of_small_rows() {
    published = new PublishedPartitions(List.of(new Counted(TokenRange.ALL, 10, 64_000)));
    assertThat(density.rowsRead(TokenRange.ALL)).isCloseTo(10_000, within(1e-6));
    assertThat(density(Kind.EVERY, null, true).rowsRead(TokenRange.ALL))
        .as("one row for each partition")
        .isCloseTo(10, within(1e-6));
    density.learn(TokenRange.ALL, 50, 5_000);
    assertThat(density.rowsRead(TokenRange.ALL)).isCloseTo(50, within(1e-6));
  }

  // Tables that are loaded after they were read.

  @Test
  void a_table_that_was_read_while_it_was_empty_has_the_size_that_nodes_count_later() {
    density.learn(TokenRange.ALL, 0, 0);
    assertThat(all()).isZero();
    published = counted(10_000_000);
    assertThat(all()).isCloseTo(10_000_000, percent(1, 10_000_000));
    assertThat(density.rowsRead(TokenRange.ALL)).isGreaterThanOrEqualTo(10_000_000);
    assertThat(density.origin().source()).isEqualTo(TableDensity.Source.NODES);
  }

  @Test
  void a_small_table_that_is_loaded_has_the_size_that_nodes_count() {
    published = counted(200);
    density.learn(TokenRange.ALL, 200, 2_000);
    published = counted(10_000_000);
    assertThat(all()).isCloseTo(10_000_000, percent(1, 10_000_000));
  }

  @Test
  void a_truncated_table_that_is_loaded_again_has_the_size_that_nodes_count() {
    published = counted(1_000_000);
    density.learn(TokenRange.ALL, 0, 0);
    published = counted(900_000);
    assertThat(all()).as("before the nodes have counted").isZero();
    published = new PublishedPartitions(List.of());
    assertThat(all()).isZero();
    published = counted(1_000_000);
    assertThat(all()).isCloseTo(1_000_000, percent(1, 1_000_000));
  }

  @Test
  void expired_rows_that_nodes_still_count_do_not_outweigh_those_that_were_read() {
    published = counted(1_000_000);
    density.learn(TokenRange.ALL, 100, 1_000);
    published = counted(1_100_000);
    assertThat(all()).isLessThan(1_000);
  }

  @Test
  void counts_that_jump_at_a_flush_do_not_outweigh_rows_that_were_read() {
    published = counted(10);
    density.learn(TokenRange.ALL, 1_000_000, 10_000_000);
    published = counted(1_000_000);
    assertThat(all()).isLessThanOrEqualTo(2_000_000);
  }

  @Test
  void growth_by_more_than_a_factor_of_two_is_followed_by_several_publications() {
    published = counted(100);
    density.learn(TokenRange.ALL, 10_000, 100_000);
    for (int i = 0; i < 3; i++) {
      published = counted(800);
      all();
    }
    assertThat(all()).isCloseTo(80_000, percent(1, 80_000));
  }

  @Test
  void the_rows_of_a_filter_stay_few_when_its_table_is_loaded() {
    TableDensity filtered = density(Kind.SOME, density, false);
    published = counted(100);
    density.learn(TokenRange.ALL, 100, 1_000);
    filtered.learn(TokenRange.ALL, 3, 30);
    published = counted(10_000_000);
    assertThat(filtered.rows(TokenRange.ALL)).isLessThan(10);
    assertThat(filtered.rowsRead(TokenRange.ALL)).isGreaterThan(1_000_000);
  }

  // Learning.

  @Test
  void one_partial_answer_makes_a_table_known() {
    SyntheticTable table = new SyntheticTable(new Random(1));
    table.insert(100_000, TableDensityTest::evenly);
    table.readSome(density, 0.3, 1_000);
    assertThat(density.known()).isTrue();
    assertThat(all()).isCloseTo(100_000, percent(20, 100_000));
    assertThat(density.bytesPerRow()).isEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void a_range_that_was_read_whole_is_estimated_exactly(long seed) {
    Random random = new Random(seed);
    SyntheticTable table = new SyntheticTable(random);
    table.insert(
        1 + random.nextInt(50_000),
        random.nextBoolean() ? TableDensityTest::evenly : TableDensityTest::skewed);
    int pieces = 1 + random.nextInt(40);
    table.scan(density, pieces);
    assertThat(all()).isCloseTo(table.rows(), percent(0.001, table.rows()));
    for (int i = 0; i < 4; i++) {
      double from = i / 4.0;
      table.read(density, from, from + 0.25);
      assertThat(density.rows(between(from, from + 0.25)))
          .isCloseTo(table.rows(from, from + 0.25), percent(0.001, table.rows()));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15})
  void the_beginnings_of_pieces_are_enough_for_an_estimate(long seed) {
    Random random = new Random(seed);
    SyntheticTable table = new SyntheticTable(random);
    table.insert(200_000, TableDensityTest::skewed);
    for (int i = 0; i < 2_000; i++) {
      table.readSome(density, random.nextDouble(), 1 + random.nextInt(200));
    }
    assertThat(all()).isCloseTo(table.rows(), percent(5, table.rows()));
    for (double[] region : new double[][] {{0, 0.2}, {0.2, 1}, {0.05, 0.1}, {0.5, 0.75}}) {
      int rows = table.rows(region[0], region[1]);
      assertThat(density.rows(between(region[0], region[1]))).isCloseTo(rows, percent(12, rows));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23})
  void one_scan_corrects_the_estimate_of_a_table_that_grew_or_shrank(long seed) {
    Random random = new Random(seed);
    SyntheticTable table = new SyntheticTable(random);
    for (int round = 0; round < 10; round++) {
      table.insert(5_000, round % 2 == 0 ? TableDensityTest::evenly : TableDensityTest::skewed);
      table.shrink(random.nextDouble());
      double before = all();
      table.scan(density, 13);
      assertThat(all()).isCloseTo(table.rows(), percent(1, before + table.rows()));
      table.scan(density, 13);
      assertThat(all()).isCloseTo(table.rows(), percent(0.5, before + table.rows()));
    }
  }

  @Test
  void a_truncated_table_has_no_rows_despite_old_counts_of_nodes() {
    SyntheticTable table = new SyntheticTable(new Random(31));
    table.insert(10_000, TableDensityTest::evenly);
    published = counted(10_000);
    table.scan(density, 12);
    table.truncate();
    table.scan(density, 12);
    assertThat(all()).isLessThan(100);
    table.scan(density, 16);
    table.scan(density, 16);
    assertThat(all()).isLessThan(1);
  }

  @Test
  void small_samples_hardly_change_a_known_estimate() {
    SyntheticTable table = new SyntheticTable(new Random(32));
    table.insert(100_000, TableDensityTest::evenly);
    published = counted(100_000);
    table.scan(density, 2);
    density.learn(between(0.7, 0.7 + 1e-7), 3, 30);
    assertThat(density.rows(between(0.6, 0.8))).isCloseTo(20_000, percent(5, 20_000));
  }

  @ParameterizedTest
  @ValueSource(longs = {41, 42, 43, 44, 45})
  void estimates_are_additive_and_never_negative_or_nan(long seed) {
    Random random = new Random(seed);
    published = random.nextBoolean() ? counted(random.nextInt(10_000)) : PublishedPartitions.NONE;
    for (int i = 0; i < 300; i++) {
      double from = random.nextDouble();
      double to = Math.min(1, from + Math.pow(random.nextDouble(), 8));
      density.learn(between(from, to), random.nextInt(random.nextBoolean() ? 3 : 10_000), 7);
      published = random.nextInt(10) == 0 ? counted(random.nextInt(100_000)) : published;
      double a = random.nextDouble();
      double c = Math.min(1, a + random.nextDouble());
      double b = a + (c - a) * random.nextDouble();
      double whole = density.rows(between(a, c));
      assertThat(whole).isFinite().isNotNegative();
      assertThat(density.rows(between(a, b)) + density.rows(between(b, c)))
          .isCloseTo(whole, within(1e-9 * whole + 1e-9));
      assertThat(density.partitions(between(a, c))).isFinite().isNotNegative();
      assertThat(density.sigma()).isBetween(0.0, 1.0);
    }
  }

  @Test
  void a_range_of_one_token_changes_nothing() {
    Token one = new Token.Murmur3(5);
    density.learn(new TokenRange(new Token.Murmur3(4), one), 1, 10);
    density.learn(new TokenRange(one, one), 0, 0);
    assertThat(density.known()).isFalse();
    assertThat(estimates).isEmpty();
  }

  @Test
  void counts_below_zero_are_refused() {
    assertThatThrownBy(() -> density.learn(TokenRange.ALL, -1, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  // Answers together with the counts of nodes.

  @Test
  void unread_regions_have_as_many_rows_per_partition_as_read_regions() {
    published =
        new PublishedPartitions(
            List.of(
                new Counted(between(0, 0.5), 1_000, 1), new Counted(between(0.5, 1), 9_000, 1)));
    density.learn(between(0, 0.25), 5_000, 5);
    assertThat(density.rows(between(0.5, 1))).isCloseTo(90_000, percent(1, 90_000));
  }

  @Test
  void learned_rows_grow_and_shrink_with_the_counts_of_nodes() {
    published = counted(1_000);
    density.learn(TokenRange.ALL, 10_000, 5);
    published = counted(1_500);
    assertThat(all()).isCloseTo(15_000, percent(0.1, 15_000));
    published = counted(900);
    assertThat(all()).isCloseTo(9_000, percent(0.1, 9_000));
    published = PublishedPartitions.NONE;
    assertThat(density.known()).isTrue();
    assertThat(all()).isCloseTo(9_000, percent(0.1, 9_000));
  }

  @Test
  void a_jump_of_the_counts_changes_the_estimate_by_a_factor_of_two_at_most() {
    density.learn(TokenRange.ALL, 10_000, 5);
    published = counted(10);
    assertThat(all()).isCloseTo(10_000, percent(0.1, 10_000));
    published = counted(10_000);
    assertThat(all()).isCloseTo(20_000, percent(0.1, 20_000));
  }

  @Test
  void without_clustering_the_rows_read_are_the_partitions() {
    TableDensity thin = density(Kind.EVERY, null, true);
    published = counted(1_000);
    thin.learn(TokenRange.ALL, 4_000, 5);
    assertThat(thin.partitions(TokenRange.ALL)).isCloseTo(4_000, within(1e-6));
    density.learn(TokenRange.ALL, 4_000, 5);
    assertThat(density.partitions(TokenRange.ALL)).isCloseTo(1_000, within(1e-6));
  }

  @Test
  void without_counts_there_are_at_most_as_many_partitions_as_rows() {
    density.learn(TokenRange.ALL, 4_000, 5);
    assertThat(density.partitions(TokenRange.ALL)).isCloseTo(4_000, within(1e-6));
  }

  // Statements that return other rows than the table has.

  @Test
  void a_filter_starts_with_the_estimate_of_its_table_and_then_learns_its_own() {
    TableDensity filter = density(Kind.SOME, density, false);
    assertThat(filter.known()).isFalse();
    density.learn(TokenRange.ALL, 4_000, 40_000);
    assertThat(filter.known()).isTrue();
    assertThat(filter.rows(TokenRange.ALL)).isCloseTo(4_000, within(1e-6));
    assertThat(filter.bytesPerRow()).isEqualTo(10);
    filter.learn(TokenRange.ALL, 4, 8);
    assertThat(filter.rows(TokenRange.ALL)).isCloseTo(4, within(1e-6));
    assertThat(filter.partitions(TokenRange.ALL)).isCloseTo(4_000, within(1e-6));
    assertThat(filter.bytesPerRow()).isEqualTo(2);
    assertThat(all()).isCloseTo(4_000, within(1e-6));
  }

  @Test
  void a_read_of_one_row_for_each_partition_starts_with_the_partitions() {
    published = counted(100);
    density.learn(TokenRange.ALL, 4_000, 40_000);
    TableDensity distinct = density(Kind.ONE_A_PARTITION, density, false);
    assertThat(distinct.rows(TokenRange.ALL)).isCloseTo(100, within(1e-6));
  }

  @Test
  void aggregates_change_nothing() {
    TableDensity count = density(Kind.AGGREGATE, density, false);
    count.learn(TokenRange.ALL, 1, 8);
    assertThat(count.known()).isFalse();
    assertThat(estimates).isEmpty();
  }

  // Errors.

  @Test
  void the_spread_counts_from_the_first_learned_estimate() {
    published = counted(10);
    density.learn(TokenRange.ALL, 100_000, 5);
    assertThat(density.sigma()).isZero();
    density.learn(TokenRange.ALL, 120_000, 5);
    assertThat(density.sigma()).isCloseTo(0.2, within(0.001));
  }

  @Test
  void listeners_get_the_estimate_before_each_answer() {
    density.learn(between(0, 0.5), 100, 5);
    density.learn(between(0.5, 1), 110, 5);
    assertThat(estimates).hasSize(2);
    assertThat(estimates.get(0)).isNaN();
    assertThat(estimates.get(1)).isCloseTo(100, within(1e-6));
  }

  // Keys in byte order.

  @Test
  void for_keys_in_byte_order_each_range_is_remembered_separately() {
    TokenRange low = new TokenRange(null, new Token.Ordered("67"));
    TokenRange high = new TokenRange(new Token.Ordered("67"), null);
    density.learn(low, 70, 5);
    assertThat(density.known()).isTrue();
    assertThat(density.rows(low)).isEqualTo(70);
    assertThat(density.rows(high)).isEqualTo(70);
    density.learn(high, 10, 5);
    assertThat(density.rows(high)).isEqualTo(10);
    assertThat(density.rows(low)).isEqualTo(70);
    density.learn(low, 0, 0);
    assertThat(density.rows(low)).isZero();
  }

  @Test
  void for_keys_in_byte_order_a_part_of_a_known_range_is_half_of_it() {
    density.learn(TokenRange.ALL, 500, 5);
    assertThat(density.rows(new TokenRange(new Token.Ordered("67"), null)))
        .isCloseTo(250, within(1e-6));
  }

  @Test
  void for_keys_in_byte_order_a_bounded_number_of_ranges_is_remembered() {
    for (int i = 0; i <= OrderedRows.MAX; i++) {
      density.learn(new TokenRange(new Token.Ordered("%04x".formatted(i)), null), i + 1, 5);
    }
    double mean = (2 + OrderedRows.MAX + 1) / 2.0;
    assertThat(density.rows(new TokenRange(new Token.Ordered("0000"), null))).isEqualTo(mean);
    assertThat(density.rows(new TokenRange(new Token.Ordered("0001"), null))).isEqualTo(2);
  }
}
