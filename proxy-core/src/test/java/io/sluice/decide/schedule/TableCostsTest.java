package io.sluice.decide.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.decide.PriorityClass;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Tests what answers teach of a table's reads, and of those of all tables. */
class TableCostsTest {

  private static final double CROWDED = Double.NaN;
  private static final Offset<Double> EXACTLY = within(1e-9);

  /** The size of a row before any was seen. */
  private static final long ROW_BYTES = 300;

  private final CommonCosts common = new CommonCosts();
  private final TableCosts costs = new TableCosts(common);
  private final double one = new CostModel().estimate(1);
  private final double empty = new CostModel().estimate(0);

  private static QueryFacts facts(long fingerprint, double rows) {
    return new QueryFacts(
        PriorityClass.POINT,
        "ks.t",
        new QueryFacts.Share("t", 0, false),
        0,
        rows,
        1,
        1,
        QueryFacts.OtherReads.NONE,
        fingerprint);
  }

  /** Teaches that reads of 100 rows take this long. */
  private void answers(int count, double micros) {
    for (int i = 0; i < count; i++) {
      costs.answered(100, 100, 100 * ROW_BYTES, micros);
    }
  }

  // The rows of a read, by its latest answer.

  @Test
  void a_read_is_as_large_as_its_latest_answer_if_that_had_more_rows_than_predicted() {
    costs.answered(facts(7, 1), 1000 * ROW_BYTES);
    assertThat(costs.rows(facts(7, 1))).isCloseTo(1000, within(1.0));
    assertThat(costs.rows(facts(7, 5_000))).isEqualTo(5_000);
    assertThat(costs.rows(facts(8, 1))).as("another read").isEqualTo(1);
  }

  @Test
  void a_read_without_a_fingerprint_is_not_remembered() {
    costs.answered(facts(0, 1), 1000 * ROW_BYTES);
    assertThat(costs.rows(facts(0, 1))).isEqualTo(1);
    assertThat(common.largeReads().bytes(0)).isZero();
  }

  @Test
  void an_answer_is_large_if_it_costs_more_than_four_rows_alone() {
    double most = costs.rowsReadIn(4 * one - empty);
    assertThat(costs.isExpensive(most - 0.01)).isFalse();
    assertThat(costs.isExpensive(most + 0.01)).isTrue();
    costs.answered(facts(7, 1), (long) ((most - 1) * ROW_BYTES));
    assertThat(common.largeReads().bytes(7)).isZero();
    costs.answered(facts(7, 1), (long) ((most + 1) * ROW_BYTES));
    assertThat(common.largeReads().bytes(7)).isPositive();
    costs.answered(facts(7, 1), (long) ((most - 1) * ROW_BYTES));
    assertThat(common.largeReads().bytes(7)).isZero();
  }

  @Test
  void tables_share_the_memory_of_large_answers() {
    costs.answered(facts(7, 1), 1000 * ROW_BYTES);
    assertThat(new TableCosts(common).rows(facts(7, 1))).isCloseTo(1000, within(1.0));
  }

  // The work of a query.

  @Test
  void each_further_part_of_a_query_costs_an_empty_read() {
    double whole = costs.estimate(1000, 1);
    assertThat(whole).isCloseTo(new CostModel().estimate(1000), EXACTLY);
    assertThat(costs.estimate(1000, 2)).isCloseTo(whole + empty, EXACTLY);
    assertThat(costs.estimate(1000, 5)).isCloseTo(whole + 4 * empty, EXACTLY);
  }

  @Test
  void rows_in_a_time_are_those_that_cost_it_beside_the_fixed_cost() {
    double work = costs.estimate(1000, 1);
    assertThat(costs.rowsReadIn(work - empty)).isCloseTo(1000, within(1e-6));
    assertThat(costs.rowsReadIn(0.0)).isZero();
  }

  @Test
  void a_table_of_costly_reads_has_half_of_their_work_in_the_order() {
    double usual = costs.estimate(100, 1);
    for (int i = 0; i < 1000; i++) {
      common.learn(100, 100 * ROW_BYTES, usual);
    }
    TableCosts costly = new TableCosts(common);
    CostModel known = costly.forNode();
    for (int i = 0; i < 9; i++) {
      known.learn(100, 100 * ROW_BYTES, 100 * usual);
      costly.answered(-1, 100, 100 * ROW_BYTES, 100 * usual);
    }
    assertThat(known.estimate(100)).isGreaterThan(4 * usual);
    assertThat(costly.forNode().estimate(100)).as("for slots").isEqualTo(known.estimate(100));
    assertThat(costly.estimate(100, 1)).isCloseTo(known.estimate(100) / 2, EXACTLY);
  }

  @Test
  void a_single_answer_of_a_table_hardly_changes_its_place_in_the_order() {
    double usual = costs.estimate(100, 1);
    for (int i = 0; i < 1000; i++) {
      common.learn(100, 100 * ROW_BYTES, usual);
    }
    TableCosts table = new TableCosts(common);
    table.answered(-1, 100, 100 * ROW_BYTES, 5 * usual);
    assertThat(table.forNode().estimate(100)).isGreaterThan(1.5 * usual);
    assertThat(table.estimate(100, 1)).isCloseTo(usual, within(0.1 * usual));
  }

  // What answers teach.

  @Test
  void an_answer_of_an_uncrowded_node_teaches_the_table_and_all_tables_its_costs() {
    double before = costs.forNode().estimate(100);
    answers(300, 3 * before);
    assertThat(costs.forNode().estimate(100)).isCloseTo(3 * before, within(0.05 * before));
    assertThat(new TableCosts(common).estimate(100, 1))
        .isCloseTo(3 * before, within(0.05 * before));
  }

  @Test
  void an_answer_of_a_crowded_node_teaches_no_costs() {
    double before = costs.forNode().estimate(100);
    answers(300, CROWDED);
    assertThat(costs.forNode().estimate(100)).isCloseTo(before, EXACTLY);
    assertThat(new TableCosts(common).estimate(100, 1)).isCloseTo(before, EXACTLY);
  }

  @Test
  void an_answer_of_a_crowded_node_teaches_the_size_of_rows() {
    costs.answered(10, 10, 9_000, CROWDED);
    assertThat(costs.bytesIn(2)).isEqualTo(1_800);
  }

  @Test
  void rows_that_were_not_counted_teach_no_size() {
    costs.answered(-1, 10, 9_000, CROWDED);
    costs.answered(0, 0, 9_000, CROWDED);
    assertThat(costs.bytesIn(1)).isEqualTo(ROW_BYTES);
    assertThat(new TableCosts(common).bytesIn(1)).isEqualTo(ROW_BYTES);
  }

  /** Otherwise the rows of the table that is read most would be those of every new table. */
  @Test
  void only_the_first_rows_of_a_table_teach_the_size_of_rows_of_new_tables() {
    costs.answered(10, 10, 9_000, CROWDED);
    assertThat(new TableCosts(common).bytesIn(1)).isEqualTo(900);
    costs.answered(10, 10, 100_000, CROWDED);
    assertThat(costs.bytesIn(1)).isGreaterThan(900);
    assertThat(new TableCosts(common).bytesIn(1)).isEqualTo(900);
    new TableCosts(common).answered(10, 10, 19_000, CROWDED);
    assertThat(new TableCosts(common).bytesIn(1)).isBetween(901.0, 1_899.0);
  }

  @Test
  void the_model_of_a_node_starts_from_the_table_and_then_goes_its_own_way() {
    costs.answered(10, 10, 9_000, CROWDED);
    CostModel node = costs.forNode();
    assertThat(node.sawRows()).isTrue();
    assertThat(node.bytesIn(1)).isEqualTo(900);
    double before = costs.estimate(100, 1);
    node.learn(100, 90_000, 4 * before);
    assertThat(costs.estimate(100, 1)).isEqualTo(before);
  }

  // When a point read is late.

  @Test
  void the_threshold_of_a_node_is_its_quantile_up_to_twice_the_least() {
    assertThat(costs.lateNanos(Double.POSITIVE_INFINITY)).isEqualTo(Long.MAX_VALUE);
    assertThat(costs.lateNanos(5_000)).as("no other node is known").isEqualTo(5_000);
    costs.addQuantile(1_000);
    assertThat(costs.lateNanos(1_900)).isEqualTo(1_900);
    assertThat(costs.lateNanos(5_000)).isEqualTo(2_000);
    assertThat(costs.lateNanos(Double.POSITIVE_INFINITY)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void a_lower_quantile_counts_at_once_and_a_higher_one_by_a_thousandth_an_answer() {
    costs.addQuantile(1_000_000);
    costs.addQuantile(9_000_000);
    assertThat(costs.lateNanos(9_000_000)).isCloseTo(2_002_000, within(1L));
    costs.addQuantile(500_000);
    assertThat(costs.lateNanos(9_000_000)).isEqualTo(1_000_000);
    costs.addQuantile(Double.POSITIVE_INFINITY);
    assertThat(costs.lateNanos(9_000_000)).isCloseTo(1_001_000, within(1L));
  }
}
