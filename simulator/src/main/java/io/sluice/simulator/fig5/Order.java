package io.sluice.simulator.fig5;

import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;

/** The orders that are compared. */
public enum Order {
  /** First in, first out, in the proxy's scheduler. */
  FIFO("FIFO"),
  /** Fewer nodes first, in the proxy's scheduler. */
  NARROW_FIRST("narrow-first"),
  /** The paper's: narrow first, then by queue lengths, which nodes would have to exchange. */
  TWO_STAGE("two-stage"),
  /** Least remaining work first, in the proxy's scheduler: what Sluice does. */
  REMAINING_WORK("remaining-work"),
  /** The order that follows from the bound. */
  OPTIMUM("optimum"),
  /** What no order can be below. */
  BOUND("bound");

  private final String label;

  Order(String label) {
    this.label = label;
  }

  /** Its name for people. */
  public String label() {
    return label;
  }

  /** The mean response to {@code batch}, in steps. */
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
