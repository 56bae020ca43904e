package io.sluice.simulator.fig5;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the paper's simulation shows of the proxy's own scheduler. */
class Fig5Test {
  private static final Fig5Result RESULT = new Fig5(1, 40).run(done -> {});

  @Test
  void print() {
    for (Order order : Order.values()) {
      System.out.println(order + " " + RESULT.point(order, 1024) + " " + RESULT.curveMean(order));
    }
  }

  @Test
  void remaining_work_is_a_quarter_below_fifo_and_within_a_hair_of_the_optimum() {
    Fig5Result.Point ours = RESULT.point(Order.REMAINING_WORK, 1024);
    assertThat(ours.ofFifo().mean()).isLessThanOrEqualTo(0.752);
    assertThat(ours.ofBound().mean()).isLessThanOrEqualTo(1.006);
    assertThat(RESULT.curveMean(Order.REMAINING_WORK)).isLessThanOrEqualTo(0.838);
  }
}
