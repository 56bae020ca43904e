package io.sluice.exchange.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.FakeTable;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.wire.TestFrames;
import org.junit.jupiter.api.Test;

/** Tests a range read that is sent whole to one node. */
class RangeReadsTest {

  private static final int PAGE = 5_000;

  /**
   * Returns the work that a whole read of a page adds to a node's queue, when nodes have counted
   * this many partitions.
   */
  private static double backlogOfPage(long counted) {
    SplitConfig off = new SplitConfig(SplitConfig.Parallel.OFF, 1000, 0, 1, 1 << 20, false);
    try (PageFixture fixture = new PageFixture(off)) {
      fixture.counted(counted);
      fixture.whole(TestFrames.page(PageFixture.ALL, PAGE, null), PAGE);
      double backlog = fixture.backlog();
      fixture.serve(new FakeTable(400, 20));
      return backlog;
    }
  }

  @Test
  void a_read_of_a_small_table_is_queued_with_less_work_than_its_page() {
    double small = backlogOfPage(100);
    assertThat(small).isPositive();
    assertThat(backlogOfPage(PAGE)).isGreaterThan(4 * small);
    assertThat(backlogOfPage(1_000_000)).isEqualTo(backlogOfPage(PAGE));
  }
}
