package io.sluice.decide.predict;

import static io.sluice.decide.predict.Places.between;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.decide.plan.ResultRows.Kind;
import io.sluice.ring.Estimates.Counted;
import io.sluice.ring.TokenRange;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests how many rows a read of an unknown table is expected to find. */
class NewTablesTest {
  private static final double PAGE = 5_000;

  private final NewTables tables = new NewTables();
  private PublishedPartitions published = PublishedPartitions.NONE;

  private TableDensity table(Kind kind, TableDensity all) {
    return new TableDensity(
        kind, all, true, () -> published, new Learning((estimated, actual) -> {}, () -> 0, tables));
  }

  private TableDensity table() {
    return table(Kind.EVERY, null);
  }

  private double expected() {
    return table().expected(TokenRange.ALL, PAGE);
  }

  @Test
  void a_read_is_expected_to_find_all_it_asks_for_while_no_table_is_known() {
    assertThat(expected()).isEqualTo(PAGE);
  }

  @Test
  void the_next_unknown_table_is_expected_to_be_as_large_as_the_last_one() {
    table().learn(TokenRange.ALL, 100, 1_000);
    assertThat(expected()).isCloseTo(100, within(1e-6));
    assertThat(table().expected(between(0, 0.25), PAGE)).isCloseTo(25, within(1e-6));
    assertThat(table().expected(TokenRange.ALL, 7)).as("a LIMIT").isEqualTo(7);
  }

  @Test
  void an_answer_to_a_part_shows_the_size_of_the_whole_table() {
    table().learn(between(0.5, 0.5625), 5, 50);
    assertThat(expected()).isCloseTo(80, within(1e-6));
  }

  @Test
  void a_huge_table_says_little_about_the_next_one() {
    for (int i = 0; i < 9; i++) {
      table().learn(TokenRange.ALL, 100, 1_000);
    }
    table().learn(TokenRange.ALL, 1_000_000, 10_000_000);
    assertThat(expected()).isBetween(200.0, 300.0);
  }

  @Test
  void twenty_large_tables_replace_the_small_ones() {
    for (int i = 0; i < 100; i++) {
      table().learn(TokenRange.ALL, 10, 100);
    }
    for (int i = 0; i < 60; i++) {
      table().learn(TokenRange.ALL, 2_000, 20_000);
    }
    assertThat(expected()).isBetween(1_500.0, 2_000.0);
  }

  @Test
  void empty_tables_count_as_well() {
    table().learn(TokenRange.ALL, 0, 0);
    assertThat(expected()).isZero();
  }

  @Test
  void only_the_first_answer_of_an_unknown_table_counts() {
    TableDensity known = table();
    known.learn(TokenRange.ALL, 100, 1_000);
    known.learn(TokenRange.ALL, 4_000, 40_000);
    published = new PublishedPartitions(List.of(new Counted(TokenRange.ALL, 3_000, 50)));
    table().learn(TokenRange.ALL, 3_000, 30_000);
    published = PublishedPartitions.NONE;
    assertThat(expected()).as("not those of known tables").isCloseTo(100, within(1e-6));
  }

  @Test
  void the_results_of_a_filter_do_not_show_the_size_of_a_table() {
    TableDensity all = table();
    table(Kind.SOME, all).learn(TokenRange.ALL, 3, 30);
    assertThat(expected()).isEqualTo(PAGE);
  }

  @Test
  void a_filter_on_an_unknown_table_is_expected_to_read_a_usual_table() {
    table().learn(TokenRange.ALL, 100, 1_000);
    TableDensity filtered = table(Kind.SOME, table());
    assertThat(filtered.expected(TokenRange.ALL, PAGE)).isCloseTo(100, within(1e-6));
  }

  @Test
  void a_known_table_is_expected_to_have_its_own_rows() {
    table().learn(TokenRange.ALL, 100, 1_000);
    TableDensity known = table();
    known.learn(TokenRange.ALL, 2_000, 20_000);
    assertThat(known.expected(TokenRange.ALL, PAGE)).isCloseTo(2_000, within(1e-6));
    assertThat(known.expected(TokenRange.ALL, 50)).isEqualTo(50);
  }
}
