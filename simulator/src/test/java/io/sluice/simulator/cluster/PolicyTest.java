package io.sluice.simulator.cluster;

import static io.sluice.simulator.cluster.SmallCluster.outcome;
import static io.sluice.simulator.cluster.SmallCluster.setting;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.simulator.cluster.ClusterSetting.Data;
import io.sluice.simulator.cluster.ClusterSetting.Fault;
import io.sluice.simulator.cluster.ClusterSetting.Hardware;
import io.sluice.simulator.cluster.ClusterSetting.Load;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The promises of the policy, on fixed seeds. */
class PolicyTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void point_reads_do_not_wait_for_range_reads_and_little_throughput_is_lost_by_it(long seed) {
    ClusterSetting setting = setting(3).withSeed(seed);
    Outcome sluice = outcome(setting, Variant.SLUICE);
    for (Variant other : List.of(Variant.STOCK, Variant.O)) {
      Outcome outcome = outcome(setting, other);
      assertThat(sluice.point().meanMs()).isLessThan(0.2 * outcome.point().meanMs());
      assertThat(sluice.throughput()).isGreaterThan(0.85 * outcome.throughput());
    }
  }

  /** Point reads first are of little use where the node has more range reads than cores. */
  @Test
  void a_limit_on_range_reads_is_worth_more_than_their_order() {
    Outcome paper = outcome(setting(1), Variant.A);
    Outcome sluice = outcome(setting(1), Variant.SLUICE);
    assertThat(sluice.point().meanMs()).isLessThan(0.5 * paper.point().meanMs());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void no_query_is_passed_by_queries_that_arrive_too_late(long seed) {
    assertThat(outcome(setting(1).withSeed(seed), Variant.SLUICE).lateOvertakes()).isZero();
  }

  @Test
  void ranges_are_read_for_nothing_less_often_than_by_stocks_rule() {
    assertThat(outcome(setting(3), Variant.SLUICE).overFetch())
        .isLessThan(outcome(setting(3), Variant.STOCK).overFetch())
        .isGreaterThanOrEqualTo(-0.01);
  }

  @Test
  void what_many_want_is_read_once() {
    Outcome sluice = outcome(setting(1), Variant.SLUICE);
    Outcome apart = outcome(setting(1), Variant.SLUICE_APART);
    assertThat(sluice.throughput()).isGreaterThan(1.5 * apart.throughput());
    assertThat(sluice.range().meanMs()).isLessThan(0.7 * apart.range().meanMs());
  }

  /** A read that rides in vain, by a wrong estimate, is queued again; none is forgotten. */
  @Test
  void shares_that_are_short_are_asked_for_again() {
    ClusterSetting setting = setting(2).with(new Data(2, 4, 200, 0.5, 0.7)).during(2, 8);
    Outcome outcome = outcome(setting, Variant.SLUICE);
    assertThat(clientsAnswered(outcome)).isBetween(76.0, 84.0);
    assertThat(failed(outcome)).isZero();
  }

  @Test
  void a_slow_node_gets_less_to_do() {
    Fault slow = new Fault(1, 0.25, 0, 100);
    ClusterSetting setting = setting(3).withFaults(List.of(slow));
    Outcome sluice = outcome(setting, Variant.SLUICE);
    Outcome byLot = outcome(setting, Variant.RES_P);
    assertThat(sluice.throughput()).isGreaterThan(1.2 * byLot.throughput());
    assertThat(sluice.range().meanMs()).isLessThan(0.9 * byLot.range().meanMs());
  }

  /** Long enough for a read that is forgotten to time out. */
  @Test
  void a_node_that_goes_down_fails_no_read_while_its_replicas_are_there() {
    ClusterSetting setting = setting(3).withFaults(List.of(new Fault(2, 0, 2, 3))).during(1, 12);
    assertThat(failed(outcome(setting, Variant.SLUICE))).isZero();
    assertThat(failed(outcome(setting, Variant.STOCK))).isPositive();
  }

  @Test
  void rows_without_another_replica_are_unavailable() {
    ClusterSetting setting = setting(1).withFaults(List.of(new Fault(2, 0, 2, 3)));
    Outcome outcome = outcome(setting, Variant.SLUICE);
    assertThat(outcome.point().failures()).containsOnlyKeys(Failure.UNAVAILABLE);
    assertThat(outcome.range().failures()).containsKey(Failure.UNAVAILABLE);
  }

  /** The range slots of all proxies add up at the node; only a measured limit notices. */
  @Test
  void with_several_proxies_the_limiter_saves_point_reads() {
    ClusterSetting setting =
        setting(3)
            .withProxies(8)
            .with(new Hardware(4, 8, 32, 100, false, 0))
            .with(new Load(400, 0, 0.5, 1000, 0));
    Outcome limited = outcome(setting, Variant.SLUICE);
    Outcome fixed = outcome(setting, Variant.SLUICE_FIXED);
    assertThat(limited.point().meanMs()).isLessThan(0.5 * fixed.point().meanMs());
    assertThat(limited.point().meanMs())
        .isLessThan(0.5 * outcome(setting, Variant.STOCK).point().meanMs());
  }

  /** N = throughput · response: nothing is forgotten and nothing counted twice. */
  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"P_RAS", "A"})
  void littles_law_holds(Variant variant) {
    Outcome outcome = outcome(setting(2).during(2, 8), variant);
    assertThat(clientsAnswered(outcome)).isBetween(76.0, 84.0);
    assertThat(failed(outcome)).isZero();
  }

  /** Where it does not hold, the missing clients sit behind narrower reads that come for ever. */
  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"P_RAS", "A"})
  void narrow_first_without_ageing_starves_wide_reads(Variant variant) {
    assertThat(clientsAnswered(outcome(setting(2).during(2, 8), variant))).isLessThan(64);
  }

  @Test
  void an_open_loop_gets_through_what_the_cores_can_do() {
    ClusterSetting setting = setting(3).with(new Load(0, 1000, 0.9, 1000, 0.99)).during(2, 8);
    for (Variant variant : List.of(Variant.STOCK, Variant.SLUICE)) {
      Outcome outcome = outcome(setting, variant);
      assertThat(outcome.throughput()).isBetween(970.0, 1030.0);
      assertThat(failed(outcome)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"STOCK", "O", "SLUICE"})
  void the_same_seed_gives_the_same_outcome(Variant variant) {
    ClusterSetting setting = setting(3).withProxies(2).during(0.5, 1);
    assertThat(outcome(setting, variant)).isEqualTo(outcome(setting, variant));
    assertThat(outcome(setting, variant)).isNotEqualTo(outcome(setting.withSeed(9), variant));
  }

  /** The clients that it takes for such a throughput at such responses. */
  private static double clientsAnswered(Outcome outcome) {
    double pointMs = outcome.point().perSecond() * outcome.point().meanMs();
    double rangeMs = outcome.range().perSecond() * outcome.range().meanMs();
    return (pointMs + rangeMs) / 1000;
  }

  private static long failed(Outcome outcome) {
    return outcome.point().failed() + outcome.range().failed();
  }
}
