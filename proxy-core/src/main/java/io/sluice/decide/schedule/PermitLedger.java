package io.sluice.decide.schedule;

/**
 * The counts of a node's slots in use, and of the reads that wait for one. Counts only. Not safe
 * for several threads.
 */
final class PermitLedger {
  /** The reads of one class. */
  private static final class Tally {
    private int held;
    private int waiting;
  }

  private final Tally points = new Tally();
  private final Tally ranges = new Tally();
  private int slots;
  private int rangeSlots;

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
    return held() < slots;
  }

  boolean hasSlotFor(SlotClass slotClass) {
    return hasSlot() && (slotClass == SlotClass.POINT || hasRangeSlot());
  }

  /** Whether the limit on range reads holds back what could go otherwise. */
  boolean holdsBack() {
    return ranges.waiting > 0 && !hasRangeSlot();
  }

  private boolean hasRangeSlot() {
    return ranges.held < rangeSlots;
  }

  int held() {
    return points.held + ranges.held;
  }

  void take(SlotClass slotClass) {
    tally(slotClass).held++;
  }

  void release(SlotClass slotClass) {
    Tally tally = tally(slotClass);
    if (tally.held == 0) {
      throw new IllegalStateException("no " + slotClass + " slot is held");
    }
    tally.held--;
  }

  void waits(SlotClass slotClass) {
    tally(slotClass).waiting++;
  }

  void waitsNoMore(SlotClass slotClass) {
    tally(slotClass).waiting--;
  }

  private Tally tally(SlotClass slotClass) {
    return slotClass == SlotClass.POINT ? points : ranges;
  }
}
