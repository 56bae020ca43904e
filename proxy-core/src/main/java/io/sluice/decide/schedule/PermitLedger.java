package io.sluice.decide.schedule;

import io.sluice.decide.PriorityClass;

/** The counts of a node's slots in use. Counts only. Not safe for several threads. */
final class PermitLedger {
  private int slots;
  private int rangeSlots;
  private int points;
  private int ranges;

  PermitLedger(int slots, int rangeSlots) {
    this.slots = slots;
    this.rangeSlots = rangeSlots;
  }

  int slots() {
    return slots;
  }

  int rangeSlots() {
    return rangeSlots;
  }

  /** Changes the limits; a slot that is held stays held. */
  void limits(int newSlots, int newRangeSlots) {
    slots = newSlots;
    rangeSlots = newRangeSlots;
  }

  boolean hasSlot() {
    return points + ranges < slots;
  }

  boolean hasRangeSlot() {
    return ranges < rangeSlots && hasSlot();
  }

  boolean hasSlotFor(PriorityClass priorityClass) {
    return priorityClass == PriorityClass.POINT ? hasSlot() : hasRangeSlot();
  }

  int held(PriorityClass priorityClass) {
    return priorityClass == PriorityClass.POINT ? points : ranges;
  }

  int held() {
    return points + ranges;
  }

  void take(PriorityClass priorityClass) {
    add(priorityClass, 1);
  }

  void release(PriorityClass priorityClass) {
    if (held(priorityClass) == 0) {
      throw new IllegalStateException("no " + priorityClass + " slot is held");
    }
    add(priorityClass, -1);
  }

  private void add(PriorityClass priorityClass, int change) {
    if (priorityClass == PriorityClass.POINT) {
      points += change;
    } else {
      ranges += change;
    }
  }
}
