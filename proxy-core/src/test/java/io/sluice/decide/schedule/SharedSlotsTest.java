package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Records;
import org.junit.jupiter.api.Test;

/** Tests the range slots of a node whose range reads wait at another proxy. */
class SharedSlotsTest {

  private static SchedulingConfig slots(int fixed) {
    return Records.with(
        SchedulingConfig.defaults(), "rangeSlots", fixed, "rangeSlotsStart", 8, "rangeShare", 0);
  }

  private static int inFlight(int fixed, int proxies) {
    Bench bench = new Bench(slots(fixed), 32, A);
    bench.scheduler.proxies(node -> proxies);
    for (int i = 0; i < 20; i++) {
      bench.submitRange(100, A);
    }
    return bench.ranges(A).inFlight();
  }

  @Test
  void each_proxy_gets_its_share_of_the_range_slots_and_at_least_one() {
    assertThat(inFlight(8, 1)).isEqualTo(8);
    assertThat(inFlight(8, 3)).isEqualTo(2);
    assertThat(inFlight(8, 16)).isEqualTo(1);
  }

  @Test
  void queued_range_reads_start_when_slots_are_no_longer_shared() {
    Bench bench = new Bench(slots(8), 32, A);
    bench.scheduler.proxies(node -> 4);
    for (int i = 0; i < 20; i++) {
      bench.submitRange(100, A);
    }
    assertThat(bench.ranges(A).inFlight()).isEqualTo(2);

    bench.scheduler.proxies(node -> 1);

    assertThat(bench.ranges(A).inFlight()).isEqualTo(8);
  }
}
