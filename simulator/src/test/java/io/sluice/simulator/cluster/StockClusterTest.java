package io.sluice.simulator.cluster;

import static io.sluice.simulator.cluster.QuietCluster.NETWORK;
import static io.sluice.simulator.cluster.QuietCluster.work;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.simulator.cluster.ClusterSetting.Data;
import io.sluice.simulator.cluster.ClusterSetting.Hardware;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests reads as Cassandra coordinates them, one at a time on idle nodes. */
class StockClusterTest {
  private static final long FIRST = Long.MIN_VALUE + 1;
  private static final long SECOND = 1_000_000_000L;
  private static final long MINUTE = 60 * SECOND;

  private final QuietCluster quiet = new QuietCluster(4, new Data(1, 1, 100, 0, 0), 1);
  private final StockCluster stock = new StockCluster(quiet.cluster);

  private static Read range(long token, int limit) {
    return new Read(false, token, limit);
  }

  @Test
  void a_point_read_is_read_by_an_owner_and_answered_over_the_network() {
    Answers answers = quiet.send(stock, new Read(true, 0, 1));

    quiet.pass(MINUTE);

    assertThat(answers.told).containsExactly("1 rows");
    assertThat(answers.at).containsExactly(work(1) + NETWORK);
    assertThat(quiet.meter.subRequests()).isEqualTo(1);
  }

  @Test
  void a_point_read_whose_only_owner_is_down_is_unavailable() {
    quiet.up(quiet.layout.owners(quiet.layout.rangeOf(0)).get(0), false, stock);

    Answers answers = quiet.send(stock, new Read(true, 0, 1));
    quiet.pass(MINUTE);

    assertThat(answers.told).containsExactly("UNAVAILABLE");
    assertThat(quiet.meter.subRequests()).isZero();
  }

  @Test
  void a_point_read_that_is_lost_with_its_node_is_not_sent_again() {
    Answers answers = quiet.send(stock, new Read(true, 0, 1));
    quiet.pass(1);

    quiet.up(quiet.layout.owners(quiet.layout.rangeOf(0)).get(0), false, stock);
    quiet.pass(MINUTE);

    assertThat(answers.told).containsExactly("UNAVAILABLE");
    assertThat(quiet.meter.subRequests()).isEqualTo(1);
  }

  /** 400 rows in five parts of the line are 80 each. Stock expects nine tenths of them, 72. */
  @ParameterizedTest
  @CsvSource({"10, 1", "72, 1", "73, 2", "144, 2", "145, 3", "216, 3"})
  void the_width_of_the_first_wave_follows_from_statistics_minus_a_tenth(int limit, int requests) {
    long from = quiet.layout.end(0) + 1;
    quiet.send(stock, range(from, limit));

    quiet.pass(1);

    assertThat(quiet.meter.subRequests()).isEqualTo(requests);
  }

  @Test
  void a_range_read_of_the_whole_table_returns_all_rows() {
    Answers answers = quiet.send(stock, range(FIRST, 1000));

    quiet.pass(MINUTE);

    assertThat(answers.told).containsExactly("400 rows");
    assertThat(quiet.meter.overFetch()).isZero();
  }

  /** Three requests (3 · 72 are more than 150) find 100 rows each. */
  @Test
  void each_request_asks_for_the_full_limit() {
    Answers answers = quiet.send(stock, range(quiet.layout.end(0) + 1, 150));
    quiet.pass(MINUTE);
    assertThat(answers.told).containsExactly("150 rows");

    quiet.meter.answered(range(0, 150), 0, 150);

    assertThat(quiet.meter.overFetch()).isBetween(148.0 / 150, 152.0 / 150);
  }

  @Test
  void if_all_nodes_have_all_rows_one_request_is_enough() {
    QuietCluster full = new QuietCluster(3, new Data(3, 1, 100, 0, 0), 1);
    StockCluster target = new StockCluster(full.cluster);

    Answers answers = full.send(target, range(FIRST, 1000));
    full.pass(MINUTE);

    assertThat(answers.told).containsExactly("300 rows");
    assertThat(full.meter.subRequests()).isEqualTo(1);
  }

  @Test
  void a_node_that_is_down_does_not_count_as_common_replica() {
    QuietCluster full = new QuietCluster(3, new Data(3, 1, 100, 0, 0), 1);
    StockCluster target = new StockCluster(full.cluster);
    full.up(0, false, target);
    full.up(1, false, target);

    Answers answers = full.send(target, range(FIRST, 1000));
    full.pass(MINUTE);

    assertThat(answers.told).containsExactly("300 rows");
  }

  @Test
  void without_any_node_a_range_read_is_unavailable() {
    for (int node = 0; node < 4; node++) {
      quiet.up(node, false, stock);
    }

    Answers answers = quiet.send(stock, range(FIRST, 10));
    quiet.pass(MINUTE);

    assertThat(answers.told).containsExactly("UNAVAILABLE");
  }

  @Test
  void rows_whose_owners_are_down_are_unavailable() {
    int owner = quiet.layout.owners(2).get(0);
    quiet.up(owner, false, stock);

    Answers answers = quiet.send(stock, range(FIRST, 1000));
    quiet.pass(MINUTE);

    assertThat(answers.told).containsExactly("UNAVAILABLE");
  }

  @Test
  void rows_before_the_missing_ones_can_be_read() {
    long from = quiet.layout.end(0) + 1;
    int later = quiet.layout.owners(3).get(0);
    quiet.up(later, false, stock);

    Answers answers = quiet.send(stock, range(from, 50));
    quiet.pass(MINUTE);

    assertThat(answers.told).containsExactly("50 rows");
  }

  /** The only node is the coordinator and the only replica. */
  @Test
  void a_coordinator_that_goes_down_takes_its_reads_with_it() {
    QuietCluster one = new QuietCluster(1, new Data(1, 1, 100, 0, 0), 1);
    StockCluster target = new StockCluster(one.cluster);
    Answers answers = one.send(target, range(FIRST, 100));
    one.pass(1);

    one.up(0, false, target);
    one.pass(MINUTE);

    assertThat(answers.told).containsExactly("UNAVAILABLE");
    assertThat(answers.at.get(0)).isEqualTo(1 + NETWORK);
  }

  /**
   * A coordinator that goes down is noticed at once. If a replica goes down, its coordinator waits
   * until the timeout. Chance decides which of the two a node is.
   */
  @Test
  void a_replica_that_goes_down_is_waited_for_until_the_timeout() {
    Set<String> outcomes = new TreeSet<>();
    for (long seed = 1; seed <= 20; seed++) {
      QuietCluster two = new QuietCluster(2, new Data(1, 1, 100, 0, 0), seed);
      StockCluster target = new StockCluster(two.cluster);
      Answers answers = two.send(target, range(FIRST, 1000));
      two.pass(NETWORK + 1);
      two.up(1, false, target);
      two.pass(MINUTE);
      outcomes.add(answers.told + " after " + answers.at.get(0) / SECOND + " s");
    }

    assertThat(outcomes).containsExactly("[TIMEOUT] after 10 s", "[UNAVAILABLE] after 0 s");
  }

  @Test
  void stock_has_no_limit_on_range_reads() {
    assertThat(stock.rangeSlots()).isZero();
  }

  /** A request holds a place of its coordinator, and frees it however it ends. */
  @Test
  void more_reads_than_places_of_a_coordinator_are_all_answered() {
    QuietCluster one =
        new QuietCluster(
            quiet
                .setting
                .with(new Data(1, 1, 100, 0, 0))
                .with(new Hardware(1, 2, 4, 10, false, 0)));
    StockCluster target = new StockCluster(one.cluster);
    Answers answers = new Answers(one.time);
    for (int i = 0; i < 500; i++) {
      target.send(i, range(FIRST, 1 + i % 200), answers);
    }

    one.pass(MINUTE);

    assertThat(answers.told).hasSize(500).allMatch(told -> told.endsWith("rows"));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1, 10",
    "2, 1, 4, 77",
    "3, 2, 8, 350",
    "4, 3, 16, 1000",
    "5, 2, 1, 5",
    "6, 3, 4, 2500"
  })
  void any_range_read_returns_its_limit_or_all_rows_after_its_token(
      long seed, int rf, int vnodes, int limit) {
    QuietCluster any = new QuietCluster(4, new Data(rf, vnodes, 50, 1, 0), seed);
    StockCluster target = new StockCluster(any.cluster);
    for (long token = FIRST; token < Long.MAX_VALUE / 8 * 7; token += Long.MAX_VALUE / 4) {
      Answers answers = any.send(target, range(token, limit));
      any.pass(MINUTE);
      long behind = any.layout.allRows() - any.layout.rowsUpTo(token - 1);
      assertThat(answers.told).containsExactly(Math.min(limit, behind) + " rows");
    }
  }
}
