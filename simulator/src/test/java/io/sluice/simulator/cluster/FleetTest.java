package io.sluice.simulator.cluster;

import static io.sluice.simulator.cluster.QuietCluster.NETWORK;
import static io.sluice.simulator.cluster.QuietCluster.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.fleet.HomeProxies;
import io.sluice.ring.NodeId;
import io.sluice.simulator.cluster.ClusterSetting.Data;
import io.sluice.simulator.cluster.ClusterSetting.Death;
import io.sluice.simulator.cluster.ClusterSetting.Hardware;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests several proxies: each read gets one answer with its rows, whichever proxy queues the read
 * or dies.
 */
class FleetTest {
  private static final long FIRST = Long.MIN_VALUE + 1;
  private static final long MINUTE = 60_000_000_000L;
  private static final int PROXIES = 3;

  private static QuietCluster cluster(Data data, long seed) {
    QuietCluster one = new QuietCluster(4, data, seed);
    return new QuietCluster(one.setting.withProxies(PROXIES));
  }

  private static ProxyFleet fleet(QuietCluster cluster, Variant variant) {
    return new ProxyFleet(cluster.cluster, cluster.setting, variant);
  }

  private static Read range(long token, int limit) {
    return new Read(false, token, limit);
  }

  private static String rows(QuietCluster cluster, Read read) {
    long behind = cluster.layout.allRows() - cluster.layout.rowsUpTo(read.token() - 1);
    return read.point() ? "1 rows" : Math.min(read.limit(), behind) + " rows";
  }

  private static int home(int node) {
    List<UUID> proxies = IntStream.range(0, PROXIES).mapToObj(i -> new UUID(i, 0)).toList();
    NodeId id = Layout.id(node);
    return (int)
        new HomeProxies(proxies, Layout.ids(4)).of(id).orElseThrow().getMostSignificantBits();
  }

  private static final class Load {
    private final QuietCluster cluster;
    private final List<Read> reads = new ArrayList<>();
    private final List<Answers> answers = new ArrayList<>();

    Load(QuietCluster cluster, ProxyFleet fleet, long seed, int count) {
      this.cluster = cluster;
      SplittableRandom random = new SplittableRandom(seed);
      for (int i = 0; i < count; i++) {
        boolean point = i % 4 == 0;
        Read read = new Read(point, Math.max(FIRST, random.nextLong()), 1 + random.nextInt(900));
        Answers answer = new Answers(cluster.time);
        fleet.send(i, read, answer);
        reads.add(read);
        answers.add(answer);
      }
    }

    void hasOneRightAnswerEach() {
      for (int i = 0; i < reads.size(); i++) {
        assertThat(answers.get(i).told)
            .as("%s", reads.get(i))
            .containsExactly(rows(cluster, reads.get(i)));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(value = Variant.class, names = "SLUICE.*", mode = EnumSource.Mode.MATCH_ALL)
  void concurrent_reads_get_their_rows_once(Variant variant) {
    for (long seed = 1; seed <= 3; seed++) {
      QuietCluster any = cluster(new Data(2, 4, 200, 1, 0.7), seed);
      Load load = new Load(any, fleet(any, variant), seed, 60);

      any.pass(MINUTE);

      load.hasOneRightAnswerEach();
    }
  }

  /** In each of many runs another proxy dies at another moment. Clients notice at once or later. */
  @ParameterizedTest
  @EnumSource(value = Variant.class, names = "SLUICE.*", mode = EnumSource.Mode.MATCH_ALL)
  void no_read_is_lost_or_answered_twice_when_a_proxy_dies(Variant variant) {
    for (int moment = 0; moment < 30; moment++) {
      QuietCluster any = cluster(new Data(2, 4, 200, 0, 0.3), moment);
      ProxyFleet fleet = fleet(any, variant);
      Load load = new Load(any, fleet, moment, 60);
      any.pass(moment * 3L * NETWORK);
      fleet.proxyDies(moment % PROXIES);
      any.pass(moment % 2 * 50L * NETWORK);
      fleet.deathIsKnown(moment % PROXIES);

      any.pass(MINUTE);

      load.hasOneRightAnswerEach();
    }
  }

  @ParameterizedTest
  @EnumSource(value = Variant.class, names = "SLUICE.*", mode = EnumSource.Mode.MATCH_ALL)
  void no_read_is_lost_when_a_node_and_a_proxy_die_together(Variant variant) {
    for (int moment = 0; moment < 10; moment++) {
      QuietCluster any = cluster(new Data(2, 4, 200, 0, 0.3), moment);
      ProxyFleet fleet = fleet(any, variant);
      Load load = new Load(any, fleet, moment, 60);
      any.pass(moment * 5L * NETWORK);
      any.up(1, false, fleet);
      fleet.proxyDies(home(2));
      any.pass(20 * NETWORK);
      fleet.deathIsKnown(home(2));

      any.pass(MINUTE);

      load.hasOneRightAnswerEach();
    }
  }

  /** A piece through a home proxy takes one more hop in each direction. */
  @Test
  void a_piece_goes_through_the_home_proxy_of_its_node() {
    QuietCluster quiet = cluster(new Data(1, 1, 100, 0, 0), 1);
    long from = quiet.layout.end(0) + 1;
    int node = quiet.layout.owners(quiet.layout.rangeOf(from)).get(0);
    for (int client = 0; client < PROXIES; client++) {
      QuietCluster same = new QuietCluster(quiet.setting);
      Answers answers = new Answers(same.time);

      fleet(same, Variant.SLUICE_HOMES).send(client, range(from, 10), answers);
      same.pass(MINUTE);

      long hops = client == home(node) ? 3 : 5;
      assertThat(answers.at).containsExactly(work(10) + hops * NETWORK);
      assertThat(same.meter.subRequests()).isEqualTo(1);
    }
  }

  /** The client's proxy asks for a lease, gets it, and then reads. */
  @Test
  void a_lease_comes_before_the_read() {
    QuietCluster quiet = cluster(new Data(1, 1, 100, 0, 0), 1);
    long from = quiet.layout.end(0) + 1;
    int node = quiet.layout.owners(quiet.layout.rangeOf(from)).get(0);
    int other = (home(node) + 1) % PROXIES;
    Answers answers = new Answers(quiet.time);

    fleet(quiet, Variant.SLUICE_LEASES).send(other, range(from, 10), answers);
    quiet.pass(MINUTE);

    assertThat(answers.at).containsExactly(work(10) + 5 * NETWORK);
  }

  @Test
  void only_home_proxies_share_scans_of_different_proxies() {
    assertThat(requests(Variant.SLUICE_HOMES)).isLessThan(requests(Variant.SLUICE) / 2);
    assertThat(requests(Variant.SLUICE_LEADER)).isEqualTo(requests(Variant.SLUICE_HOMES));
  }

  private static long requests(Variant variant) {
    QuietCluster one = new QuietCluster(1, new Data(1, 1, 1000, 0, 0), 1);
    QuietCluster many = new QuietCluster(one.setting.withProxies(16));
    ProxyFleet fleet = fleet(many, variant);
    for (int client = 0; client < 320; client++) {
      fleet.send(client, range(FIRST, 500), new Answers(many.time));
    }
    many.pass(MINUTE);
    return many.meter.subRequests();
  }

  @Test
  void a_single_proxy_behaves_the_same_with_homes() {
    ClusterSetting one = SmallCluster.setting(2).during(0.2, 0.5);
    Outcome alone = SmallCluster.outcome(one, Variant.SLUICE);

    for (Variant variant : List.of(Variant.SLUICE_HOMES, Variant.SLUICE_LEADER)) {
      Outcome homes = SmallCluster.outcome(one, variant);
      assertThat(homes.range()).isEqualTo(alone.range());
      assertThat(homes.point()).isEqualTo(alone.point());
    }
  }

  @Test
  void home_proxies_keep_the_throughput_of_one_proxy() {
    ClusterSetting many = SmallCluster.setting(2).withProxies(16).during(0.5, 1);
    double one = SmallCluster.outcome(many.withProxies(1), Variant.SLUICE).throughput();

    assertThat(SmallCluster.outcome(many, Variant.SLUICE_HOMES).throughput() / one)
        .isGreaterThan(0.75);
    assertThat(SmallCluster.outcome(many, Variant.SLUICE).throughput() / one).isLessThan(0.6);
  }

  @Test
  void proxies_that_divide_range_slots_give_a_node_fewer_range_reads() {
    ClusterSetting many = SmallCluster.setting(2).withProxies(8).during(0.5, 1);
    Outcome divided = SmallCluster.outcome(many, Variant.SLUICE_DIVIDED);
    Outcome undivided = SmallCluster.outcome(many, Variant.SLUICE);

    assertThat(divided.rangeSlots()).isLessThan(undivided.rangeSlots());
    assertThat(divided.point().meanMs()).isLessThan(0.7 * undivided.point().meanMs());
  }

  @Test
  void a_proxy_with_all_range_reads_gets_nearly_all_range_slots() {
    ClusterSetting many =
        SmallCluster.setting(2)
            .with(new Hardware(2, 4, 32, 100, false, 0))
            .withProxies(32)
            .during(2.5, 0.5);
    Outcome one = SmallCluster.outcome(many.withProxies(1), Variant.SLUICE);

    Outcome skewed =
        SmallCluster.outcome(many.with(many.load().withRangeProxies(1)), Variant.SLUICE_DIVIDED);

    assertThat(skewed.throughput() / one.throughput()).isGreaterThan(0.9);
    double others = 31;
    assertThat(32 * skewed.rangeSlots() - others).as("slots of the first").isGreaterThan(4);
  }

  @Test
  void after_the_death_of_a_proxy_reads_are_back_soon_and_none_fails() {
    ClusterSetting dying =
        SmallCluster.setting(2)
            .withProxies(4)
            .withDeaths(List.of(new Death(2, 1.5, 0.3)))
            .during(0.5, 3);

    Outcome outcome = SmallCluster.outcome(dying, Variant.SLUICE_HOMES);

    assertThat(outcome.point().failed() + outcome.range().failed()).isZero();
    assertThat(outcome.backAfterSeconds()).isCloseTo(0.4, within(0.31));
    assertThat(outcome.range().maxMs()).isBetween(300.0, 900.0);
  }
}
