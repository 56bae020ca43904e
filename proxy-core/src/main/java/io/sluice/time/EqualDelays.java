package io.sluice.time;

import org.jspecify.annotations.Nullable;

/**
 * Tasks that all wait equally long, so that the first to be set is the first to be due: one timer
 * serves all of them, and setting one or calling it off takes constant time. For deadlines, which
 * are many and hardly ever met. Not safe for several threads: one lane.
 */
public final class EqualDelays {

  private final long delayNanos;
  private final NanoClock clock;
  private final Timer timer;
  private @Nullable Entry first;
  private @Nullable Entry last;
  private boolean armed;

  /**
   * Nothing waits yet.
   *
   * @param delayNanos how long each task waits
   * @param timer calls on the lane, not before its time
   */
  public EqualDelays(long delayNanos, NanoClock clock, Timer timer) {
    this.delayNanos = delayNanos;
    this.clock = clock;
    this.timer = timer;
  }

  /**
   * A task that keeps its own place among those that wait, so that setting it allocates nothing. It
   * waits in one place at a time.
   */
  public abstract static class Entry {

    private @Nullable EqualDelays among;
    private long dueNanos;
    private @Nullable Entry before;
    private @Nullable Entry after;

    /** Its time has come; it waits no more. */
    protected abstract void due();

    /** Calls it off; nothing happens when it does not wait. */
    public final void callOff() {
      EqualDelays holder = among;
      if (holder != null) {
        holder.remove(this);
      }
    }
  }

  /** A task that is set once. */
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

  /** Runs {@code task} once after the delay, or a little later. */
  public Timer.Timeout add(Runnable task) {
    Once added = new Once(task);
    add(added);
    return added;
  }

  /** The same for a task that is set again and again; where it has waited before, it does not. */
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

  /** Runs one task at most: what it throws keeps no other from its turn. */
  private void due() {
    armed = false;
    Entry next = first;
    if (next == null) {
      return;
    }
    long early = next.dueNanos - clock.nanoTime();
    if (early > 0) {
      arm(early);
      return;
    }
    remove(next);
    if (first != null) {
      arm(Math.max(0, first.dueNanos - clock.nanoTime()));
    }
    next.due();
  }

  private void append(Entry added) {
    added.among = this;
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
    entry.among = null;
    entry.before = null;
    entry.after = null;
  }
}
