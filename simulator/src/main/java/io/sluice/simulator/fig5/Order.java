package io.sluice.simulator.fig5;

import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;

/** The orders to compare. */
public enum Order {
  /** First in, first out, in the proxy's scheduler. */
  FIFO("FIFO"),
  /** Fewer nodes first, in the proxy's scheduler. */
  NARROW_FIRST("narrow-first"),
  /** The paper's order: narrow first, then by queue lengths, which nodes would have to exchange. */
  TWO_STAGE("two-stage"),
  /** Least remaining work first, in the proxy's scheduler, as in Sluice. */
  REMAINING_WORK("remaining-work"),
  /** The order derived from the bound. */
  OPTIMUM("optimum"),
  /** The lower bound of all orders. */
  BOUND("bound");

  private final String label;

  Order(String label) {
    this.label = label;
  }

  /** Returns the name for people. */
  public String label() {
    return label;
  }

  /** Returns the mean response to {@code batch}, in steps. */
  double meanResponse(Batch batch) {
    return switch (this) {
      case FIFO -> ProxyQueues.meanResponse(batch, RangeOrder.FIFO);
      case NARROW_FIRST -> ProxyQueues.meanResponse(batch, RangeOrder.NARROW_FIRST);
      case REMAINING_WORK -> ProxyQueues.meanResponse(batch, RangeOrder.REMAINING_WORK);
      case TWO_STAGE -> FixedOrder.meanResponse(batch, FixedOrder.twoStage(batch));
      case OPTIMUM -> FixedOrder.meanResponse(batch, Optimum.of(batch).order());
      case BOUND -> Optimum.of(batch).bound();
    };
  }
}
