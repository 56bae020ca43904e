package io.sluice.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.decide.plan.SplitConfig;
import io.sluice.decide.plan.SplitConfig.Parallel;
import io.sluice.decide.schedule.SchedulingConfig;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import io.sluice.simulator.cluster.ClusterSetting.Hardware;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the settings of each variant. */
class VariantTest {
  private static final Hardware HARDWARE = new Hardware(3, 8, 32, 100, false, 0);

  @ParameterizedTest
  @CsvSource({
    "O, false, FIFO",
    "RES, true, FIFO",
    "P, false, FIFO",
    "RES_P, true, FIFO",
    "P_RAS, false, NARROW_FIRST",
    "A, true, NARROW_FIRST",
    "SLUICE, true, REMAINING_WORK"
  })
  void each_variant_has_its_priority_and_its_order(
      Variant variant, boolean pointPriority, RangeOrder order) {
    SchedulingConfig config = variant.scheduling(HARDWARE, 1);

    assertThat(config.pointPriority()).isEqualTo(pointPriority);
    assertThat(config.rangeOrder()).isEqualTo(order);
  }

  @ParameterizedTest
  @CsvSource({"O, 1", "RES, 1", "P, 32", "RES_P, 32", "P_RAS, 32", "A, 32", "SLUICE, 32"})
  void each_variant_has_its_number_of_parallel_pieces(Variant variant, int subRequests) {
    assertThat(variant.split().maxSubRequests()).isEqualTo(subRequests);
  }

  @Test
  void sluice_has_the_defaults_of_the_proxy_except_for_the_size_of_pieces() {
    assertThat(Variant.SLUICE.scheduling(HARDWARE, 1)).isEqualTo(SchedulingConfig.defaults());
    assertThat(Variant.SLUICE.split())
        .usingRecursiveComparison()
        .ignoringFields("maxSubRequests", "minRows")
        .isEqualTo(SplitConfig.defaults());
    assertThat(Variant.SLUICE.split().minRows()).isZero();
  }

  @Test
  void a_fixed_limit_is_1_25_for_each_core() {
    assertThat(slots(Variant.SLUICE_FIXED, 8)).isEqualTo(10);
    assertThat(slots(Variant.SLUICE_FIXED, 1)).isEqualTo(1);
    assertThat(slots(Variant.SLUICE_FIXED, 0.1)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"1, 10", "4, 3", "16, 1", "64, 1"})
  void a_fixed_limit_is_divided_equally_and_a_searched_one_by_demand(int proxies, int ranges) {
    Variant fixed = Variant.SLUICE_DIVIDED_FIXED;

    assertThat(fixed.scheduling(HARDWARE, proxies).rangeSlots()).isEqualTo(ranges);
    assertThat(fixed.divides()).isFalse();
    assertThat(Variant.SLUICE_DIVIDED.divides()).isTrue();
    assertThat(Variant.SLUICE_DIVIDED.scheduling(HARDWARE, proxies))
        .isEqualTo(SchedulingConfig.defaults());
  }

  @Test
  void a_node_with_an_agent_has_the_slots_that_the_proxy_gives_it() {
    SchedulingConfig config = Variant.SLUICE_AGENT.scheduling(HARDWARE, 4);

    assertThat(config.concurrentReads()).isEqualTo(96);
    assertThat(config.rangeSlots()).isEqualTo(96);
  }

  private static int slots(Variant variant, double cores) {
    Hardware hardware = new Hardware(3, cores, 32, 100, false, 0);
    return variant.scheduling(hardware, 1).rangeSlots();
  }

  @ParameterizedTest
  @EnumSource(
      value = Variant.class,
      names = {"O", "RES", "P", "RES_P", "P_RAS", "A"})
  void variants_of_the_paper_use_the_queue_of_the_node_and_refuse_no_read(Variant variant) {
    SchedulingConfig config = variant.scheduling(HARDWARE, 1);

    assertThat(config.rangeSlots()).isEqualTo(32);
    assertThat(config.rangeBacklog()).isEqualTo(Double.MAX_VALUE);
    assertThat(config.pointBacklog()).isEqualTo(Double.MAX_VALUE);
    assertThat(variant.split().parallel()).isEqualTo(Parallel.PAPER);
    assertThat(variant.split().shareScans()).isFalse();
  }

  @Test
  void only_sluice_shares_scans() {
    assertThat(Arrays.stream(Variant.values()).filter(each -> each.split().shareScans()))
        .containsExactly(
            Variant.SLUICE,
            Variant.SLUICE_FIXED,
            Variant.SLUICE_DIVIDED,
            Variant.SLUICE_DIVIDED_FIXED,
            Variant.SLUICE_AGENT,
            Variant.SLUICE_LEASES,
            Variant.SLUICE_HOMES,
            Variant.SLUICE_LEADER);
  }

  @Test
  void labels_differ_in_lower_case() {
    assertThat(Arrays.stream(Variant.values()).map(each -> each.label().toLowerCase(Locale.ROOT)))
        .doesNotHaveDuplicates()
        .contains("stock", "o", "res+p", "sluice");
  }
}
