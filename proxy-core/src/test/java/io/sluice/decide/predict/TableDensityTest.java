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

  /** Nine tenths of the rows on the first fifth of the ring. */
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
        new Learning((estimated, actual) -> estimates.add(estimated), () -> now));
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
  void nothing_is_known_of_a_table_that_was_not_counted_or_read() {
    assertThat(density.known()).isFalse();
    assertThat(all()).isZero();
    assertThat(density.partitions(TokenRange.ALL)).isZero();
    assertThat(density.sigma()).isZero();
    assertThat(density.bytesPerRow()).isZero();
    assertThat(density.largeRowBytes()).isZero();
  }

  @Test
  void large_rows_are_those_of_the_answer_with_the_largest() {
    published = counted(1_000);
    assertThat(density.largeRowBytes()).as("as counted").isEqualTo(50);
    density.learn(between(0, 0.25), 1_000, 100_000);
    density.learn(between(0.25, 0.5), 10, 100_000);
    assertThat(density.largeRowBytes()).isEqualTo(10_000);
    assertThat(density.bytesPerRow()).isLessThan(250);
  }

  @Test
  void a_table_that_was_counted_has_a_row_a_partition_until_answers_show_better() {
    published = counted(1_000);
    assertThat(density.known()).isTrue();
    assertThat(density.rows(between(0, 0.25))).isCloseTo(250, within(1e-6));
    assertThat(density.partitions(between(0, 0.25))).isCloseTo(250, within(1e-6));
    assertThat(density.bytesPerRow()).isEqualTo(50);
  }

  // What a node reads for it.

  @Test
  void a_filter_that_finds_little_reads_all_that_is_there() {
    density.learn(TokenRange.ALL, 100_000, 1_000_000);
    TableDensity filtered = density(Kind.SOME, density, false);
    filtered.learn(TokenRange.ALL, 3, 30);
    assertThat(filtered.rows(TokenRange.ALL)).isCloseTo(3, within(1e-6));
    assertThat(filtered.rowsRead(TokenRange.ALL)).isCloseTo(100_000, percent(1, 100_000));
  }

  @Test
  void what_a_filter_reads_is_without_bound_while_its_table_is_unknown() {
    TableDensity filtered = density(Kind.SOME, density, false);
    filtered.learn(TokenRange.ALL, 3, 30);
    assertThat(filtered.rowsRead(TokenRange.ALL)).isInfinite();
  }

  @Test
  void partitions_that_were_counted_are_full_of_small_rows_until_answers_show_better() {
    published = new PublishedPartitions(List.of(new Counted(TokenRange.ALL, 10, 64_000)));
    assertThat(density.rowsRead(TokenRange.ALL)).isCloseTo(10_000, within(1e-6));
    assertThat(density(Kind.EVERY, null, true).rowsRead(TokenRange.ALL))
        .as("one row a partition")
        .isCloseTo(10, within(1e-6));
    density.learn(TokenRange.ALL, 50, 5_000);
    assertThat(density.rowsRead(TokenRange.ALL)).isCloseTo(50, within(1e-6));
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
  void what_was_read_whole_is_estimated_as_what_it_had(long seed) {
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
  void beginnings_of_pieces_alone_are_enough(long seed) {
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
  void a_table_that_grows_or_shrinks_is_followed_by_one_scan(long seed) {
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
  void a_truncated_table_has_no_rows_whatever_nodes_still_say() {
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
  void small_samples_bow_to_what_is_known_of_the_rest() {
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
  void a_range_of_hardly_any_tokens_teaches_nothing() {
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

  // Learned and counted together.

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
  void what_was_learned_grows_and_shrinks_as_counts_do() {
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
  void counts_that_jump_move_it_by_a_factor_of_two_at_most() {
    density.learn(TokenRange.ALL, 10_000, 5);
    published = counted(10);
    assertThat(all()).isCloseTo(10_000, percent(0.1, 10_000));
    published = counted(10_000);
    assertThat(all()).isCloseTo(20_000, percent(0.1, 20_000));
  }

  @Test
  void where_a_row_is_a_partition_rows_that_were_read_say_how_many() {
    TableDensity thin = density(Kind.EVERY, null, true);
    published = counted(1_000);
    thin.learn(TokenRange.ALL, 4_000, 5);
    assertThat(thin.partitions(TokenRange.ALL)).isCloseTo(4_000, within(1e-6));
    density.learn(TokenRange.ALL, 4_000, 5);
    assertThat(density.partitions(TokenRange.ALL)).isCloseTo(1_000, within(1e-6));
  }

  @Test
  void without_a_count_there_are_at_most_as_many_partitions_as_rows() {
    density.learn(TokenRange.ALL, 4_000, 5);
    assertThat(density.partitions(TokenRange.ALL)).isCloseTo(4_000, within(1e-6));
  }

  // Statements that return other rows than the table has.

  @Test
  void a_statement_begins_with_its_tables_rows_and_goes_its_own_way() {
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
  void one_row_a_partition_begins_with_the_partitions() {
    published = counted(100);
    density.learn(TokenRange.ALL, 4_000, 40_000);
    TableDensity distinct = density(Kind.ONE_A_PARTITION, density, false);
    assertThat(distinct.rows(TokenRange.ALL)).isCloseTo(100, within(1e-6));
  }

  @Test
  void aggregates_teach_nothing() {
    TableDensity count = density(Kind.AGGREGATE, density, false);
    count.learn(TokenRange.ALL, 1, 8);
    assertThat(count.known()).isFalse();
    assertThat(estimates).isEmpty();
  }

  // Errors.

  @Test
  void the_spread_counts_from_the_first_estimate_that_was_learned() {
    published = counted(10);
    density.learn(TokenRange.ALL, 100_000, 5);
    assertThat(density.sigma()).isZero();
    density.learn(TokenRange.ALL, 120_000, 5);
    assertThat(density.sigma()).isCloseTo(0.2, within(0.001));
  }

  @Test
  void others_are_told_what_was_estimated_and_found() {
    density.learn(between(0, 0.5), 100, 5);
    density.learn(between(0.5, 1), 110, 5);
    assertThat(estimates).hasSize(2);
    assertThat(estimates.get(0)).isNaN();
    assertThat(estimates.get(1)).isCloseTo(100, within(1e-6));
  }

  // Keys in byte order.

  @Test
  void of_keys_in_byte_order_each_range_is_remembered_by_itself() {
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
  void a_part_of_a_ring_in_byte_order_that_was_read_whole_may_be_half_of_it() {
    density.learn(TokenRange.ALL, 500, 5);
    assertThat(density.rows(new TokenRange(new Token.Ordered("67"), null)))
        .isCloseTo(250, within(1e-6));
  }

  @Test
  void ranges_of_keys_in_byte_order_are_forgotten_when_there_are_too_many() {
    for (int i = 0; i <= OrderedRows.MOST; i++) {
      density.learn(new TokenRange(new Token.Ordered("%04x".formatted(i)), null), i + 1, 5);
    }
    double mean = (2 + OrderedRows.MOST + 1) / 2.0;
    assertThat(density.rows(new TokenRange(new Token.Ordered("0000"), null))).isEqualTo(mean);
    assertThat(density.rows(new TokenRange(new Token.Ordered("0001"), null))).isEqualTo(2);
  }
}
