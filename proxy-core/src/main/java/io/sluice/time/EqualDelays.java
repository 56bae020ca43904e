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
  private @Nullable Waiting first;
  private @Nullable Waiting last;
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

  /** Runs {@code task} once after the delay, or a little later. */
  public Timer.Timeout add(Runnable task) {
    Waiting added = new Waiting(task, clock.nanoTime() + delayNanos);
    append(added);
    if (!armed) {
      arm(delayNanos);
    }
    return added;
  }

  private void arm(long nanos) {
    armed = true;
    timer.schedule(nanos, this::due);
  }

  /** Runs one task at most: what it throws keeps no other from its turn. */
  private void due() {
    armed = false;
    Waiting next = first;
    if (next == null) {
      return;
    }
    long early = next.dueNanos - clock.nanoTime();
    if (early > 0) {
      arm(early);
      return;
    }
    next.cancel();
    if (first != null) {
      arm(Math.max(0, first.dueNanos - clock.nanoTime()));
    }
    next.task.run();
  }

  private void append(Waiting added) {
    added.before = last;
    if (last == null) {
      first = added;
    } else {
      last.after = added;
    }
    last = added;
  }

  private final class Waiting implements Timer.Timeout {

    private final Runnable task;
    private final long dueNanos;
    private @Nullable Waiting before;
    private @Nullable Waiting after;
    private boolean over;

    Waiting(Runnable task, long dueNanos) {
      this.task = task;
      this.dueNanos = dueNanos;
    }

    @Override
    public void cancel() {
      if (over) {
        return;
      }
      over = true;
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
      before = null;
      after = null;
    }
  }
}
