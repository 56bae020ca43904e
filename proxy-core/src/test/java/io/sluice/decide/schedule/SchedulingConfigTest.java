package io.sluice.decide.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;
import io.sluice.ring.NodeId;
import io.sluice.testkit.Records;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SchedulingConfigTest {

  @Test
  void the_defaults_are_pinned() {
    SchedulingConfig config = SchedulingConfig.defaults();

    assertThat(config)
        .isEqualTo(
            new SchedulingConfig(
                Mode.ENFORCE,
                true,
                RangeOrder.REMAINING_WORK,
                0,
                0,
                4,
                1,
                0.1,
                0.02,
                null,
                null,
                0.8,
                0.3,
                0.5,
                Map.of()));
  }

  @Test
  void a_value_out_of_range_is_refused_with_the_name_of_its_key() {
    Duration ok = Duration.ofSeconds(1);
    refused("concurrentReads", -1, 0, 8, 2, ok, ok, 0.5, 0.5, 0.5);
    refused("rangeSlots", 0, -1, 8, 2, ok, ok, 0.5, 0.5, 0.5);
    refused("rangeSlotsMin", 0, 0, 8, 0, ok, ok, 0.5, 0.5, 0.5);
    refused("rangeSlotsStart", 0, 0, 1, 2, ok, ok, 0.5, 0.5, 0.5);
    refused("readTimeout", 0, 0, 8, 2, Duration.ZERO, ok, 0.5, 0.5, 0.5);
    refused("rangeTimeout", 0, 0, 8, 2, ok, ok.negated(), 0.5, 0.5, 0.5);
    refused("pointBacklog", 0, 0, 8, 2, ok, ok, 0, 0.5, 0.5);
    refused("rangeBacklog", 0, 0, 8, 2, ok, ok, 0.5, Double.NaN, 0.5);
    refused("ageing", 0, 0, 8, 2, ok, ok, 0.5, 0.5, 1.1);
  }

  @Test
  void a_tenth_of_the_reads_in_flight_is_kept_for_point_reads() {
    SchedulingConfig base = SchedulingConfig.defaults();

    assertThatThrownBy(() -> Bench.sharing(base, 0.95))
        .hasMessage("scheduling.rangeShare must be from 0 to 0.9, not 0.95");
    assertThatThrownBy(() -> Bench.hedging(base, 0.11))
        .hasMessage("scheduling.hedgeShare must be from 0 to 0.1, not 0.11");
    assertThatThrownBy(() -> Bench.hedging(base, Double.NaN)).hasMessageContaining("hedgeShare");
    assertThatThrownBy(() -> Bench.sharing(base, -0.1)).hasMessageContaining("rangeShare");
    assertThatThrownBy(() -> Bench.sharing(base, Double.NaN)).hasMessageContaining("rangeShare");
    assertThat(Bench.sharing(base, 0.9).rangeShare()).isEqualTo(0.9);
  }

  @Test
  void a_weight_must_be_positive() {
    SchedulingConfig base = SchedulingConfig.defaults();

    assertThatThrownBy(() -> withWeights(base, Map.of("gold", 0.0)))
        .hasMessage("scheduling.tenantWeights.gold must be above 0, not 0.0");
  }

  @Test
  void facts_and_limits_out_of_range_are_refused() {
    assertThatThrownBy(() -> new QueryFacts(PriorityClass.RANGE, "t", "r", 0, -1, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new QueryFacts(PriorityClass.RANGE, "t", "r", 0, 1, 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new NodeLimits(new NodeId(new UUID(0, 1)), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("concurrentReads");
  }

  @Test
  void a_demand_needs_a_replica() {
    Bench bench = new Bench(Bench.remainingWork(1), 1, Bench.A);
    Query query = bench.range(1);

    assertThatThrownBy(() -> new TestDemand("d", query, 0, List.of(), 1, demand -> {}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new TestDemand("d", query, 0, List.of(Bench.A), -1, demand -> {}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void refused(
      String key,
      int reads,
      int slots,
      int start,
      int min,
      Duration read,
      Duration range,
      double pointBacklog,
      double rangeBacklog,
      double ageing) {
    assertThatThrownBy(
            () ->
                new SchedulingConfig(
                    Mode.ENFORCE,
                    true,
                    RangeOrder.FIFO,
                    reads,
                    slots,
                    start,
                    min,
                    0,
                    0,
                    read,
                    range,
                    pointBacklog,
                    rangeBacklog,
                    ageing,
                    Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("scheduling." + key + " must be ");
  }

  private static SchedulingConfig withWeights(SchedulingConfig base, Map<String, Double> weights) {
    return Records.with(base, "tenantWeights", weights);
  }
}
