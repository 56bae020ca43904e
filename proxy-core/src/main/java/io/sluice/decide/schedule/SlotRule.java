package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;

/**
 * The rule that says which slots a read takes. A point read that costs as much as many takes those
 * of range reads. With the paper's orders, without priority for point reads, and with a fixed
 * number of range slots, the kind of the statement decides. Immutable.
 */
final class SlotRule {
  private final boolean byCost;

  SlotRule(SchedulingConfig config) {
    this.byCost =
        config.mode() != Mode.PASSTHROUGH
            && config.pointPriority()
            && config.rangeOrder() == RangeOrder.REMAINING_WORK
            && config.rangeSlots() == 0;
  }

  /** The slots for a read that arrives now. */
  SlotClass of(QueryFacts facts, TableCosts costs) {
    boolean dear = byCost && facts.rows() > 1 && costs.isDear(facts.rows());
    return facts.priorityClass() == PriorityClass.POINT && !dear
        ? SlotClass.POINT
        : SlotClass.RANGE;
  }
}
