package io.sluice.decide.schedule;

import io.sluice.decide.schedule.SchedulingConfig.Mode;

/**
 * The numbers of a node's slots: for all reads, from the settings or from the node itself; and for
 * range reads, from the settings or from the search for Kr, divided by the proxies that share them.
 * Keeps the node's {@link PermitLedger} up to date. Times are in ns. Not safe for several threads.
 */
final class NodeSlots {
  private SchedulingConfig config;
  private int nodeReads;

  /** What this proxy uses of the range slots. */
  private RangePart part = RangePart.WHOLE;

  private RangeLimiter limiter;
  private final PermitLedger ledger;
  private final RangeNeed need = new RangeNeed();

  /**
   * Creates the slots of a node without reads.
   *
   * @param concurrentReads reads that the node reports to run at once
   */
  NodeSlots(SchedulingConfig config, int concurrentReads) {
    this.config = config;
    this.nodeReads = concurrentReads;
    int slots = slots();
    this.limiter = limiter(config, maxRangeSlots(slots));
    this.ledger = new PermitLedger(slots, rangeSlots(slots), rangeShare());
  }

  PermitLedger ledger() {
    return ledger;
  }

  /** Changes how many reads the node runs at once. */
  void concurrentReads(int next) {
    nodeReads = next;
    apply();
  }

  /** Changes what this proxy uses of the range slots. */
  void part(RangePart next) {
    part = next;
    apply();
  }

  /** Changes the settings. */
  void change(SchedulingConfig next, long now) {
    boolean restarts = restartsSearch(config, next);
    config = next;
    if (restarts) {
      limiter = limiter(next, maxRangeSlots(slots()));
      limiter.begin(now);
    }
    apply();
    ledger.rangeShare(rangeShare());
  }

  private void apply() {
    int slots = slots();
    if (config.rangeSlots() == 0) {
      limiter.max(maxRangeSlots(slots));
    }
    ledger.limits(slots, rangeSlots(slots));
  }

  /**
   * Takes over what has changed meanwhile: the number of range slots by the search, and the reads.
   */
  void refresh(long now) {
    need.change(ledger.rangesNeeded(), now);
    ledger.limits(ledger.slots(), rangeSlots(ledger.slots()));
  }

  /** Whether range reads wait only because of the limit that this proxy searches for. */
  boolean isLimitReached() {
    return part.searches() && ledger.holdsRangesBack();
  }

  /**
   * Returns the mean number of range reads that held a slot or waited for one since the last call,
   * as a share of the range slots that all proxies have.
   */
  double takeNeed(long now) {
    return need.take(now) / allRangeSlots(slots());
  }

  /** Learns from the answer to a range read. See {@link RangeLimiter#sample}. */
  void sample(double slowness, double size, QueueEntry entry, long now) {
    limiter.sample(slowness, size, entry.limitReached, entry.startedNanos, now);
  }

  /** Learns from the answer to a range read beyond the limit. See {@link RangeLimiter#beyond}. */
  void beyond(double slowness, QueueEntry entry, long now) {
    limiter.beyond(slowness, entry.limitReached, entry.startedNanos, now);
  }

  /** Learns that a read without a sample was answered. See {@link RangeLimiter#unmeasured}. */
  void unmeasured(QueueEntry entry, long now) {
    limiter.unmeasured(entry.limitReached, now);
  }

  /** See {@link RangeLimiter#restate}. */
  void restate(double factor) {
    limiter.restate(factor);
  }

  /** Lowers the number of range slots after the node has shed a read. */
  void backOff(QueueEntry entry, long now) {
    limiter.backOff(entry.startedNanos, now);
  }

  private int slots() {
    return config.concurrentReads() > 0 ? config.concurrentReads() : nodeReads;
  }

  private int rangeSlots(int slots) {
    return part.of(allRangeSlots(slots));
  }

  /** Returns the range slots of all proxies together. */
  private int allRangeSlots(int slots) {
    return Math.min(limiter.slots(), maxRangeSlots(slots));
  }

  /** Returns the slots less one for point reads, if these have priority; at least 1. */
  private int maxRangeSlots(int slots) {
    return config.pointPriority() ? Math.max(1, slots - 1) : slots;
  }

  /** Returns the configured share; 0 with a fixed number, which range slots never exceed. */
  private double rangeShare() {
    return config.pointPriority() && config.rangeSlots() == 0 ? config.rangeShare() : 0;
  }

  /** Whether the search for Kr starts again. Samples from a mode without limits do not count. */
  private static boolean restartsSearch(SchedulingConfig before, SchedulingConfig next) {
    boolean starts = next.mode() == Mode.ENFORCE && before.mode() != Mode.ENFORCE;
    return starts
        || next.rangeSlots() != before.rangeSlots()
        || next.rangeSlotsStart() != before.rangeSlotsStart()
        || next.rangeSlotsMin() != before.rangeSlotsMin();
  }

  /** Creates the limiter. With a fixed number of range slots there is nothing to search. */
  private static RangeLimiter limiter(SchedulingConfig config, int slots) {
    int fixed = config.rangeSlots();
    return fixed > 0
        ? new RangeLimiter(fixed, fixed, fixed)
        : new RangeLimiter(config.rangeSlotsStart(), config.rangeSlotsMin(), slots);
  }
}
