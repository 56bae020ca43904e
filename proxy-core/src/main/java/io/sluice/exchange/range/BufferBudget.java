package io.sluice.exchange.range;

import io.sluice.memory.MemoryBudget;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory budget, for all range reads together, of answers that wait for earlier pieces of their
 * page. Safe for any thread.
 */
final class BufferBudget {

  private final long max;
  private final MemoryBudget all;
  private final AtomicLong used = new AtomicLong();

  /** The part of {@link #used} for answers to pieces that wait at other proxies. */
  private final AtomicLong away = new AtomicLong();

  /**
   * Creates an unused budget.
   *
   * @param max bytes for all range reads
   * @param all the budget of the whole proxy; while more than half of it is used, only {@link
   *     #take} takes memory
   */
  BufferBudget(long max, MemoryBudget all) {
    this.all = all;
    this.max = max;
  }

  /** Takes {@code bytes} if they are available. A page can hold at most a quarter of the budget. */
  boolean tryTake(long bytes, long alreadyTaken) {
    if (!mayTake(bytes, alreadyTaken)) {
      return false;
    }
    long before = used.getAndUpdate(held -> fits(held, bytes) ? held + bytes : held);
    return fits(before, bytes);
  }

  /** Whether {@link #tryTake} would take {@code bytes} now. */
  boolean hasRoom(long bytes, long alreadyTaken) {
    return mayTake(bytes, alreadyTaken) && fits(used.get(), bytes);
  }

  private boolean mayTake(long bytes, long alreadyTaken) {
    return alreadyTaken + bytes <= max / 4 && all.isRoomy();
  }

  private boolean fits(long held, long bytes) {
    return bytes <= max - held;
  }

  /** Takes memory that cannot wait, even beyond the budget. A negative value gives memory back. */
  void take(long bytes) {
    used.addAndGet(bytes);
  }

  /**
   * Marks memory that was taken as that of pieces that wait at other proxies. A negative value ends
   * this.
   */
  void away(long bytes) {
    away.addAndGet(bytes);
  }

  /** Returns the bytes that are held or expected now. */
  long used() {
    return used.get();
  }

  /**
   * Whether less than half is used, so that answers may be larger than one read needs. Pieces that
   * wait at other proxies do not count: pieces that wait at this one take no memory either.
   */
  boolean isRoomy() {
    return used.get() - away.get() < max / 2 && all.isRoomy();
  }
}
