package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Records;
import org.junit.jupiter.api.Test;

/** Tests the range slots of a node that this proxy shares with other proxies. */
class SharedSlotsTest {

  private static SchedulingConfig slots(int fixed) {
    return Records.with(
        SchedulingConfig.defaults(), "rangeSlots", fixed, "rangeSlotsStart", 8, "rangeShare", 0);
  }

  private static int inFlight(int fixed, int proxies) {
    Bench bench = new Bench(slots(fixed), 32, A);
    bench.scheduler.rangeParts(node -> RangePart.pastHome(proxies));
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
    bench.scheduler.rangeParts(node -> RangePart.pastHome(4));
    for (int i = 0; i < 20; i++) {
      bench.submitRange(100, A);
    }
    assertThat(bench.ranges(A).inFlight()).isEqualTo(2);

    bench.scheduler.rangeParts(node -> RangePart.pastHome(1));

    assertThat(bench.ranges(A).inFlight()).isEqualTo(8);
  }

  /** Returns the range slots after reads whose durations do not grow with their number. */
  private static int slotsOfAnUncrowdedNode(RangePart part) {
    Bench bench =
        new Bench(
            Records.with(
                SchedulingConfig.defaults(), "rangeShare", 0, "rangeBacklog", Double.MAX_VALUE),
            32,
            A);
    bench.scheduler.rangeParts(node -> part);
    for (int i = 0; i < 1_500; i++) {
      bench.submitRange(100, A);
    }
    int done = 0;
    for (int round = 0; round < 80; round++) {
      bench.time.advance(4 * MS);
      int started = bench.started.size();
      while (done < started) {
        bench.started.get(done++).finish(100, 30_000);
      }
    }
    return bench.state(A).rangeSlots();
  }

  @Test
  void a_proxy_with_a_part_goes_on_with_the_search_for_the_whole_node() {
    int whole = slotsOfAnUncrowdedNode(RangePart.WHOLE);

    assertThat(whole).isGreaterThan(10);
    assertThat(slotsOfAnUncrowdedNode(new RangePart(0.5, true))).isBetween(4, whole * 2 / 3);
  }

  @Test
  void past_the_home_of_a_node_no_more_slots_are_searched_for() {
    assertThat(slotsOfAnUncrowdedNode(RangePart.pastHome(2))).isEqualTo(2);
  }
}
