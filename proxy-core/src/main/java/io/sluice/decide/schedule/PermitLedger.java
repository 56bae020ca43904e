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
  private double rangeShare;

  /**
   * A ledger in which nothing is held.
   *
   * @param slots reads at once
   * @param rangeSlots range reads at once
   * @param rangeShare share of the reads at once that range reads may be, if that is more; 0 to 1
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

  /** Changes the limits; a slot that is held stays held. */
  void limits(int newSlots, int newRangeSlots) {
    slots = newSlots;
    rangeSlots = newRangeSlots;
  }

  /** Changes the share of range reads; a slot that is held stays held. */
  void rangeShare(double next) {
    rangeShare = next;
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
    return ranges.held < rangeSlots || ranges.held + 1 <= rangeShare * (held() + 1);
  }

  /** Whether more range reads hold slots than their limit alone would allow. */
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
