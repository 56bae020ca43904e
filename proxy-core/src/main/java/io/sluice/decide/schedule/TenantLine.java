package io.sluice.decide.schedule;

/**
 * The entries of one tenant in one line of a node, and what the tenant has used of the slots of
 * that line. Not safe for several threads.
 */
final class TenantLine {
  private final FairLine line;
  private final RunQueue<QueueEntry> entries = new RunQueue<>();
  private double used;

  TenantLine(FairLine line) {
    this.line = line;
  }

  int size() {
    return entries.size();
  }

  /** Returns the first entry; only while one is queued. */
  QueueEntry head() {
    return entries.head();
  }

  /** Returns the work started from here over the tenant's weight, on the line's clock. */
  double used() {
    return used;
  }

  /** Raises the use to the line's clock: nothing is saved up while no entry waits here. */
  void catchUp(double virtualNow) {
    used = Math.max(used, virtualNow);
  }

  /** Adds to the use; negative to refund. */
  void charge(double share) {
    used += share;
  }

  void add(QueueEntry entry, long key) {
    if (entries.isEmpty()) {
      line.enter(this);
    }
    entry.handle = entries.add(entry, key, entry.query.sequence(), entry.pieceNumber);
  }

  void remove(QueueEntry entry) {
    entries.remove(entry.handle);
    if (entries.isEmpty()) {
      line.leave(this);
    }
  }

  /** Moves a queued entry forward. */
  void decrease(QueueEntry entry, long key) {
    entries.decrease(entry.handle, key);
  }

  /** Advances the line's clock, because an entry starts from here. */
  void advance() {
    line.advanceTo(this);
  }

  /** Advances the clock of a line in which no entry waits: nothing is to be made up for there. */
  void advanceIdle() {
    if (line.isEmpty()) {
      line.advanceTo(this);
    }
  }

  /** Whether the next entry would start from the line's clock. */
  boolean isLevel() {
    return line.isLevel(this);
  }
}
