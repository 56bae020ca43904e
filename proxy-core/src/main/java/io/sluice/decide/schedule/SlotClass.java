package io.sluice.decide.schedule;

/** The slots of a node that a read takes: by what it costs, not by what it is called. */
enum SlotClass {
  /** A read of one partition, or of a few: any slot. */
  POINT,
  /** A range read that costs no more than a few point reads: as many slots as Kr, besides it. */
  LIGHT,
  /** Any other range read, and a point read that costs as much as many: Kr. */
  HEAVY
}
