package io.sluice.simulator.cluster;

import static io.sluice.simulator.cluster.QuietCluster.NETWORK;
import static io.sluice.simulator.cluster.QuietCluster.work;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.simulator.cluster.ClusterSetting.Data;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests reads through simulated proxies: rows are conserved, and each read has one answer. */
class ProxyReadsTest {
  private static final long FIRST = Long.MIN_VALUE + 1;
  private static final long MINUTE = 60_000_000_000L;

  private final QuietCluster quiet = new QuietCluster(4, new Data(2, 1, 100, 0, 0), 1);

  private static ProxyFleet fleet(QuietCluster cluster, Variant variant) {
    return new ProxyFleet(cluster.cluster, cluster.setting, variant);
  }

  private static Read range(long token, int limit) {
    return new Read(false, token, limit);
  }

  private static String rows(QuietCluster cluster, Read read) {
    long behind = cluster.layout.allRows() - cluster.layout.rowsUpTo(read.token() - 1);
    return Math.min(read.limit(), behind) + " rows";
  }

  @Test
  void a_point_read_goes_over_the_network_to_one_replica_and_back_to_the_client() {
    Answers answers = quiet.send(fleet(quiet, Variant.SLUICE), new Read(true, 0, 1));

    quiet.pass(MINUTE);

    assertThat(answers.told).containsExactly("1 rows");
    assertThat(answers.at).containsExactly(work(1) + 3 * NETWORK);
    assertThat(quiet.meter.subRequests()).isEqualTo(1);
  }

  /** One of the two owners goes down with the read, which is then sent to the other owner. */
  @Test
  void a_point_read_that_is_lost_with_its_node_is_read_at_the_other_replica() {
    long requests = 0;
    for (int owner : quiet.layout.owners(quiet.layout.rangeOf(0))) {
      QuietCluster same = new QuietCluster(quiet.setting);
      ProxyFleet fleet = fleet(same, Variant.SLUICE);
      Answers answers = same.send(fleet, new Read(true, 0, 1));
      same.pass(NETWORK + 1);
      same.up(owner, false, fleet);
      same.pass(MINUTE);
      assertThat(answers.told).containsExactly("1 rows");
      requests += same.meter.subRequests();
    }

    assertThat(requests).isEqualTo(3);
  }

  @Test
  void a_point_read_without_a_replica_is_unavailable() {
    ProxyFleet fleet = fleet(quiet, Variant.SLUICE);
    quiet.layout.owners(quiet.layout.rangeOf(0)).forEach(node -> quiet.up(node, false, fleet));

    Answers answers = quiet.send(fleet, new Read(true, 0, 1));
    quiet.pass(MINUTE);

    assertThat(answers.told).containsExactly("UNAVAILABLE");
  }

  @Test
  void a_narrow_range_read_that_one_piece_can_serve_takes_one_request() {
    long from = quiet.layout.end(0) + 1;

    Answers answers = quiet.send(fleet(quiet, Variant.SLUICE), range(from, 10));
    quiet.pass(MINUTE);

    assertThat(answers.told).containsExactly("10 rows");
    assertThat(quiet.meter.subRequests()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"STOCK"})
  void any_range_read_returns_its_limit_or_all_rows_after_its_token(Variant variant) {
    for (long seed = 1; seed <= 4; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      QuietCluster any = new QuietCluster(4, new Data(1 + (int) seed % 3, 4, 50, 1, 0.7), seed);
      ProxyFleet fleet = fleet(any, variant);
      for (int i = 0; i < 10; i++) {
        Read read = range(Math.max(FIRST, random.nextLong()), 1 + random.nextInt(900));
        Answers answers = any.send(fleet, read);
        any.pass(MINUTE);
        assertThat(answers.told).containsExactly(rows(any, read));
      }
    }
  }

  /** Concurrent reads share scans, cancel pieces, and may get too few rows from a shared scan. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void concurrent_range_reads_return_the_same_rows_as_consecutive_ones(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    QuietCluster any = new QuietCluster(3, new Data(2, 4, 200, 1, 0.7), seed);
    ProxyFleet fleet = fleet(any, Variant.SLUICE);
    List<Read> reads = new ArrayList<>();
    List<Answers> answers = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      Read read = range(Math.max(FIRST, random.nextLong()), 1 + random.nextInt(1500));
      reads.add(read);
      answers.add(any.send(fleet, read));
    }

    any.pass(MINUTE);

    for (int i = 0; i < reads.size(); i++) {
      assertThat(answers.get(i).told)
          .as("%s", reads.get(i))
          .containsExactly(rows(any, reads.get(i)));
    }
  }

  /**
   * Nodes go down and come back while reads are in flight. While a replica is up, no read fails.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void reads_survive_a_node_that_goes_down_meanwhile(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    QuietCluster any = new QuietCluster(3, new Data(2, 4, 200, 0, 0.3), seed);
    ProxyFleet fleet = fleet(any, Variant.SLUICE);
    List<Read> reads = new ArrayList<>();
    List<Answers> answers = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      Read read = new Read(i % 4 == 0, Math.max(FIRST, random.nextLong()), 1 + random.nextInt(800));
      reads.add(read);
      answers.add(any.send(fleet, read));
    }
    any.pass(150_000);
    any.up(1, false, fleet);
    any.pass(MINUTE);

    for (int i = 0; i < reads.size(); i++) {
      String expected = reads.get(i).point() ? "1 rows" : rows(any, reads.get(i));
      assertThat(answers.get(i).told).as("%s", reads.get(i)).containsExactly(expected);
    }
  }

  @Test
  void a_read_of_rows_without_a_replica_is_unavailable_once() {
    ProxyFleet fleet = fleet(quiet, Variant.SLUICE);
    quiet.layout.owners(2).forEach(node -> quiet.up(node, false, fleet));

    Answers answers = quiet.send(fleet, range(FIRST, 1000));
    quiet.pass(MINUTE);

    assertThat(answers.told).containsExactly("UNAVAILABLE");
  }

  /** Two clients want the same rows of nodes without free slots. One read serves both. */
  @Test
  void scans_that_wait_for_the_same_rows_are_read_together() {
    long shared = requests(Variant.SLUICE);
    long apart = requests(Variant.SLUICE_APART);

    assertThat(shared).isLessThan(apart);
  }

  private static long requests(Variant variant) {
    QuietCluster one = new QuietCluster(1, new Data(1, 1, 1000, 0, 0), 1);
    ProxyFleet fleet = fleet(one, variant);
    List<Answers> answers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      answers.add(one.send(fleet, range(FIRST, 500)));
    }
    one.pass(MINUTE);
    assertThat(answers).allSatisfy(each -> assertThat(each.told).containsExactly("500 rows"));
    return one.meter.subRequests();
  }

  @Test
  void the_papers_variants_give_a_node_as_many_range_reads_as_it_has_threads() {
    assertThat(fleet(quiet, Variant.O).rangeSlots()).isEqualTo(32);
    assertThat(fleet(quiet, Variant.SLUICE_FIXED).rangeSlots()).isEqualTo(10);
    assertThat(fleet(quiet, Variant.SLUICE).rangeSlots()).isBetween(1.0, 32.0);
  }

  @Test
  void pieces_are_sequential_in_variant_o_and_parallel_in_variant_p() {
    assertThat(atOnce(Variant.O)).isEqualTo(1);
    assertThat(atOnce(Variant.P)).isGreaterThan(1);
  }

  private static long atOnce(Variant variant) {
    QuietCluster four = new QuietCluster(4, new Data(1, 1, 100, 0, 0), 1);
    four.send(fleet(four, variant), range(FIRST, 400));
    four.pass(NETWORK + 1);
    return four.meter.subRequests();
  }
}
