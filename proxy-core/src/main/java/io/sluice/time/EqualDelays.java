package io.sluice.time;

import org.jspecify.annotations.Nullable;

/**
 * A queue of tasks that all have the same delay, so they become due in the order in which they were
 * added. One timer serves all of them, and adding or cancelling a task takes constant time. Meant
 * for deadlines, which are many and are nearly always cancelled. Not safe for several threads: one
 * lane.
 */
public final class EqualDelays {

  private final long delayNanos;
  private final NanoClock clock;
  private final Timer timer;
  private @Nullable Entry first;
  private @Nullable Entry last;
  private boolean armed;

  /**
   * Creates an empty queue.
   *
   * @param delayNanos the delay of each task
   * @param timer a timer that calls on the lane, never early
   */
  public EqualDelays(long delayNanos, NanoClock clock, Timer timer) {
    this.delayNanos = delayNanos;
    this.clock = clock;
    this.timer = timer;
  }

  /**
   * A task that is also the node of the linked list, so adding it allocates nothing. It waits in at
   * most one queue at a time.
   */
  public abstract static class Entry {

    private @Nullable EqualDelays queue;
    private long dueNanos;
    private @Nullable Entry before;
    private @Nullable Entry after;

    /** Runs the task when its delay has passed. The task no longer waits then. */
    protected abstract void due();

    /** Cancels the task. Does nothing when the task does not wait. */
    public final void callOff() {
      EqualDelays holder = queue;
      if (holder != null) {
        holder.remove(this);
      }
    }
  }

  /** A task that is added once. */
  private static final class Once extends Entry implements Timer.Timeout {

    private final Runnable task;

    Once(Runnable task) {
      this.task = task;
    }

    @Override
    protected void due() {
      task.run();
    }

    @Override
    public void cancel() {
      callOff();
    }
  }

  long delayNanos() {
    return delayNanos;
  }

  /** Whether no task waits and no timer is running. */
  boolean isIdle() {
    return first == null && !armed;
  }

  /** Runs {@code task} once after the delay, or a little later. */
  public Timer.Timeout add(Runnable task) {
    Once added = new Once(task);
    add(added);
    return added;
  }

  /** Adds a task that may be added again and again. A task that still waits is cancelled first. */
  public void add(Entry entry) {
    entry.callOff();
    entry.dueNanos = clock.nanoTime() + delayNanos;
    append(entry);
    if (!armed) {
      arm(delayNanos);
    }
  }

  private void arm(long nanos) {
    armed = true;
    timer.schedule(nanos, this::due);
  }

  /** Runs at most one task, so an exception of one task cannot prevent the next. */
  private void due() {
    armed = false;
    Entry next = first;
    if (next == null) {
      return;
    }
    long remaining = next.dueNanos - clock.nanoTime();
    if (remaining > 0) {
      arm(remaining);
      return;
    }
    remove(next);
    if (first != null) {
      arm(Math.max(0, first.dueNanos - clock.nanoTime()));
    }
    next.due();
  }

  private void append(Entry added) {
    added.queue = this;
    added.before = last;
    if (last == null) {
      first = added;
    } else {
      last.after = added;
    }
    last = added;
  }

  private void remove(Entry entry) {
    Entry before = entry.before;
    Entry after = entry.after;
    if (before == null) {
      first = after;
    } else {
      before.after = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.before = before;
    }
    entry.queue = null;
    entry.before = null;
    entry.after = null;
  }
}
