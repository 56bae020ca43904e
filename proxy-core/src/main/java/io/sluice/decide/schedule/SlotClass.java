package io.sluice.decide.schedule;

/** The slots of a node that a read takes. */
enum SlotClass {
  /** Any slot: reads of one partition, or of a few. */
  POINT,
  /** The few slots of range reads, also for point reads of many partitions. */
  RANGE
}
