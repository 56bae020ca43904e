package io.sluice.simulator.fig5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Tests the paper's simulation with the proxy's own scheduler. */
class Fig5Test {
  private static final int LARGEST = 1024;
  private static final Fig5Result RESULT = new Fig5(1, 40).run(done -> {});

  @Test
  void remaining_work_is_a_quarter_below_fifo_and_very_close_to_the_bound() {
    Fig5Result.Point ours = RESULT.point(Order.REMAINING_WORK, LARGEST);
    assertThat(ours.ofFifo().mean()).isLessThanOrEqualTo(0.752);
    assertThat(ours.ofBound().mean()).isLessThanOrEqualTo(1.006);
    assertThat(RESULT.curveMean(Order.REMAINING_WORK)).isLessThanOrEqualTo(0.838);
  }

  @Test
  void remaining_work_is_better_than_an_order_that_exchanges_queue_lengths() {
    assertThat(RESULT.point(Order.REMAINING_WORK, LARGEST).steps().mean())
        .isLessThan(RESULT.point(Order.TWO_STAGE, LARGEST).steps().mean());
    assertThat(RESULT.curveMean(Order.REMAINING_WORK))
        .isLessThan(RESULT.curveMean(Order.TWO_STAGE))
        .isLessThan(RESULT.curveMean(Order.NARROW_FIRST));
  }

  @Test
  void no_order_is_below_the_bound_and_the_induced_order_reaches_it() {
    assertThat(RESULT.points()).allMatch(point -> point.ofBound().mean() >= 1 - 1e-12);
    for (int size : Fig5.SIZES) {
      assertThat(RESULT.point(Order.OPTIMUM, size).ofBound().mean()).isCloseTo(1, within(1e-12));
    }
  }

  @Test
  void the_same_seed_gives_the_same_figures() {
    assertThat(new Fig5(7, 2).run(done -> {})).isEqualTo(new Fig5(7, 2).run(done -> {}));
    assertThat(new Fig5(7, 2).run(done -> {})).isNotEqualTo(new Fig5(8, 2).run(done -> {}));
  }
}
