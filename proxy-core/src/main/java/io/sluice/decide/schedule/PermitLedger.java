package io.sluice.decide.schedule;

/**
 * The counts of a node's slots in use, and of the reads that wait for one. Counts only. Not safe
 * for several threads.
 */
final class PermitLedger {
  /** One light read may be on its way while another is worked on, however small the node. */
  private static final int LEAST_LIGHT = 2;

  /** The reads of one class. */
  private static final class Tally {
    private int held;
    private int waiting;
  }

  private final Tally points = new Tally();
  private final Tally lights = new Tally();
  private final Tally heavies = new Tally();
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
    return hasSlot() && hasRoom(slotClass);
  }

  /** Whether the limit on light or on heavy reads holds back what could go otherwise. */
  boolean holdsBack() {
    return holdsBack(SlotClass.HEAVY) || holdsBack(SlotClass.LIGHT);
  }

  private boolean holdsBack(SlotClass slotClass) {
    return tally(slotClass).waiting > 0 && !hasRoom(slotClass);
  }

  private boolean hasRoom(SlotClass slotClass) {
    return switch (slotClass) {
      case POINT -> true;
      case HEAVY -> heavies.held < rangeSlots;
      case LIGHT ->
          lights.held < Math.max(LEAST_LIGHT, rangeSlots)
              && lights.held + heavies.held < mostRanges();
    };
  }

  /** A quarter of the slots is kept for point reads. */
  private int mostRanges() {
    return Math.max(1, slots - Math.max(1, slots / 4));
  }

  int held() {
    return points.held + lights.held + heavies.held;
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
    return switch (slotClass) {
      case POINT -> points;
      case LIGHT -> lights;
      case HEAVY -> heavies;
    };
  }
}
