package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.SchedulingConfig.Mode;
import io.sluice.decide.schedule.SchedulingConfig.RangeOrder;

/**
 * The rule that decides which slots a read takes. A point read that costs as much as many point
 * reads takes the slots of range reads. The kind of the statement alone decides with the paper's
 * orders, without priority for point reads, and with a fixed number of range slots. Immutable.
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

  /**
   * Returns the slots for a read that arrives now.
   *
   * @param rows the rows or partitions that it will probably read
   */
  SlotClass of(PriorityClass priorityClass, double rows, TableCosts costs) {
    boolean expensive = byCost && rows > 1 && costs.isExpensive(rows);
    return priorityClass == PriorityClass.POINT && !expensive ? SlotClass.POINT : SlotClass.RANGE;
  }
}
