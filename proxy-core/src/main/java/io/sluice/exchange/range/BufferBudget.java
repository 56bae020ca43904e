package io.sluice.exchange.range;

import io.sluice.memory.MemoryBudget;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory for answers that wait until what comes before them in their page is there, of all reads
 * together. Safe for any thread.
 */
class BufferBudget {

  private final long max;
  private final MemoryBudget all;
  private final AtomicLong used = new AtomicLong();

  /**
   * Nothing is taken yet.
   *
   * @param max bytes for all range reads
   * @param all while this is more than half used, only what cannot wait is taken
   */
  BufferBudget(long max, MemoryBudget all) {
    this.all = all;
    this.max = max;
  }

  /** Takes so many bytes if they are left; no page can take more than a quarter of all at once. */
  boolean tryTake(long bytes, long alreadyTaken) {
    if (!mayTake(bytes, alreadyTaken)) {
      return false;
    }
    long before = used.getAndUpdate(now -> fits(now, bytes) ? now + bytes : now);
    return before + bytes <= max;
  }

  /** Whether {@link #tryTake} would take so many bytes now. */
  boolean hasRoom(long bytes, long alreadyTaken) {
    return mayTake(bytes, alreadyTaken) && fits(used(), bytes);
  }

  private boolean mayTake(long bytes, long alreadyTaken) {
    return alreadyTaken + bytes <= max / 4 && all.isRoomy();
  }

  /** Whether so many more bytes are left; may be asked several times for one taking. */
  boolean fits(long now, long bytes) {
    return now + bytes <= max;
  }

  /** Takes what cannot wait, left or not; gives back when negative. */
  void take(long bytes) {
    used.addAndGet(bytes);
  }

  /** Bytes that are held or expected now. */
  long used() {
    return used.get();
  }

  /** Whether less than half is taken: then there is room for what is not waited for yet. */
  boolean isRoomy() {
    return used.get() < max / 2 && all.isRoomy();
  }
}
