package io.sluice.decide.schedule;

/** Counts a node's slots in use and the reads that wait for one. Not safe for several threads. */
final class PermitLedger {
  /** The counts of one class. */
  private static final class Tally {
    private int held;
    private int waiting;
  }

  private final Tally points = new Tally();
  private final Tally ranges = new Tally();
  private int slots;
  private int rangeSlots;
  private double rangeShare;

  /**
   * Creates a ledger without held slots.
   *
   * @param slots reads at once
   * @param rangeSlots range reads at once
   * @param rangeShare share of the reads in flight that range reads may have, if that is more than
   *     {@code rangeSlots}; 0 to 1
   */
  PermitLedger(int slots, int rangeSlots, double rangeShare) {
    this.slots = slots;
    this.rangeSlots = rangeSlots;
    this.rangeShare = rangeShare;
  }

  int slots() {
    return slots;
  }

  int rangeSlots() {
    return rangeSlots;
  }

  /** Changes the limits. Held slots stay held. */
  void limits(int newSlots, int newRangeSlots) {
    slots = newSlots;
    rangeSlots = newRangeSlots;
  }

  /** Changes the share of range reads. Held slots stay held. */
  void rangeShare(double next) {
    rangeShare = next;
  }

  boolean hasSlot() {
    return held() < slots;
  }

  boolean hasSlotFor(SlotClass slotClass) {
    return hasSlot() && (slotClass == SlotClass.POINT || hasRangeSlot());
  }

  /** Whether a range read waits only because of the limit on range reads. */
  boolean holdsRangesBack() {
    return ranges.waiting > 0 && !hasRangeSlot();
  }

  /** Returns the range reads that hold a slot or wait for one. */
  int rangesNeeded() {
    return ranges.held + ranges.waiting;
  }

  private boolean hasRangeSlot() {
    return ranges.held < rangeSlots || ranges.held + 1 <= rangeShare * (held() + 1);
  }

  /** Whether more range reads hold slots than {@code rangeSlots} alone allows. */
  boolean isBeyondRangeSlots() {
    return ranges.held > rangeSlots;
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

  void addWaiting(SlotClass slotClass) {
    tally(slotClass).waiting++;
  }

  void removeWaiting(SlotClass slotClass) {
    tally(slotClass).waiting--;
  }

  private Tally tally(SlotClass slotClass) {
    return slotClass == SlotClass.POINT ? points : ranges;
  }
}
