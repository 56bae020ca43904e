package io.sluice.exchange.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.FakeTable;
import io.sluice.decide.plan.SplitConfig;
import io.sluice.wire.TestFrames;
import org.junit.jupiter.api.Test;

/** A range read that goes to one node whole. */
class RangeReadsTest {

  private static final int PAGE = 5_000;

  /**
   * The work that a whole read of a page adds to a node's queue, when nodes have counted so many.
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
  void a_table_of_a_hundred_rows_is_not_queued_as_its_page() {
    double small = backlogOfPage(100);
    assertThat(small).isPositive();
    assertThat(backlogOfPage(PAGE)).isGreaterThan(4 * small);
    assertThat(backlogOfPage(1_000_000)).isEqualTo(backlogOfPage(PAGE));
  }
}
