package io.sluice.decide.schedule;

import static io.sluice.decide.schedule.Bench.A;
import static io.sluice.decide.schedule.Bench.MS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Range reads in closed loops at a node that has more cores than they can use. */
class RangeSlotsLoopTest {
  private static final int ROWS = 500;

  private final SchedulingConfig config = SchedulingConfig.defaults();
  private final Bench bench = new Bench(config, 32, A);
  private final FakeNode node = new FakeNode(bench.time, 64);

  private void clients(int count) {
    for (int i = 0; i < count; i++) {
      ask();
    }
    bench.time.runUntil(20_000 * MS);
  }

  private void ask() {
    bench.scheduler.submit(
        new TestDemand("d", bench.range(ROWS), 0, List.of(A), ROWS, this::started));
  }

  private void started(TestDemand demand) {
    node.run(
        5 * MS,
        () -> {
          demand.finish(ROWS, ROWS * 300);
          ask();
        });
  }

  @Test
  void the_limit_is_raised_while_reads_are_queued() {
    clients(config.rangeSlotsStart() + 8);

    assertThat(bench.state(A).rangeSlots()).isGreaterThan(config.rangeSlotsStart());
  }

  /** The reads would not use more slots, but a later burst would take all of them at once. */
  @Test
  void the_limit_is_not_raised_while_no_read_is_queued() {
    clients(config.rangeSlotsStart());

    assertThat(bench.state(A).rangeSlots()).isEqualTo(config.rangeSlotsStart());
  }
}
