package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;

/**
 * The rule that says which slots a read takes. With the paper's orders, without priority for point
 * reads, and with a fixed number of range slots, the kind of the statement decides. Immutable.
 */
final class SlotRule {
  private final boolean byWork;

  SlotRule(SchedulingConfig config) {
    this.byWork =
        config.mode() != Mode.PASSTHROUGH
            && config.pointPriority()
            && config.rangeOrder() == RangeOrder.REMAINING_WORK
            && config.rangeSlots() == 0;
  }

  /** The slots for a read that arrives now. */
  SlotClass of(QueryFacts facts, TableCosts costs, long now) {
    if (facts.priorityClass() == PriorityClass.POINT) {
      return byWork && facts.rows() > 1 && costs.isDear(facts.rows())
          ? SlotClass.HEAVY
          : SlotClass.POINT;
    }
    boolean light =
        byWork
            && facts.readsWhatItReturns()
            && costs.isLight(facts.rows(), facts.limit(), facts.width(), now);
    return light ? SlotClass.LIGHT : SlotClass.HEAVY;
  }
}
