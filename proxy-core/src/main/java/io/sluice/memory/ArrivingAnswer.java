package io.sluice.memory;

/**
 * The memory of the answer that arrives on one link, as a part of a {@link MemoryBudget}. Changed
 * on the link's lane only.
 */
public final class ArrivingAnswer {

  private final MemoryBudget budget;
  private final MemoryCount count;
  private long reserved;
  private boolean fromReserve;

  /** Creates a part that holds nothing yet. */
  public ArrivingAnswer(MemoryBudget budget) {
    this.budget = budget;
    this.count = new MemoryCount(budget::add);
  }

  /** Returns the most bytes that one answer may ever have. */
  public long most() {
    return budget.mostOfAnswer();
  }

  /**
   * Reserves the bytes of an answer that has begun to arrive. They count from now on. Only one
   * answer arrives at a time.
   *
   * @return whether the bytes are free
   */
  public boolean reserve(long bytes) {
    boolean free = budget.takeFree(bytes);
    fromReserve = !free && budget.takeReserve(bytes);
    if (!free && !fromReserve) {
      return false;
    }
    reserved = bytes;
    return true;
  }

  /** Ends the reservation, if there is one. */
  public void release() {
    long bytes = reserved;
    reserved = 0;
    if (fromReserve) {
      fromReserve = false;
      budget.returnReserve(bytes);
    } else if (bytes > 0) {
      budget.add(-bytes);
    }
  }

  /** Sets the memory that unfinished answers have now; reserved bytes are not counted twice. */
  public void holds(long now) {
    count.holds(Math.max(0, now - reserved));
  }
}
