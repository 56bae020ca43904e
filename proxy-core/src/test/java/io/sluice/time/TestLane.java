package io.sluice.time;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A lane with a clock that the test moves. */
public final class TestLane implements Lane, NanoClock {

  private final ArrayDeque<Runnable> soon = new ArrayDeque<>();
  private final List<Scheduled> later = new ArrayList<>();
  private long now = 1_000;

  private record Scheduled(long due, Runnable task) {}

  @Override
  public boolean isCurrent() {
    return true;
  }

  @Override
  public void execute(Runnable task) {
    soon.add(task);
  }

  @Override
  public Timeout schedule(long delayNanos, Runnable task) {
    Scheduled scheduled = new Scheduled(now + delayNanos, task);
    later.add(scheduled);
    return () -> later.remove(scheduled);
  }

  @Override
  public long nanoTime() {
    return now;
  }

  /** Runs all executed tasks, and those that they execute. */
  public void runSoon() {
    for (Runnable next = soon.poll(); next != null; next = soon.poll()) {
      next.run();
    }
  }

  /** Moves the clock, and runs due tasks in order. */
  public void pass(long millis) {
    long end = now + millis * 1_000_000;
    runSoon();
    while (true) {
      Scheduled next = later.stream().min(Comparator.comparingLong(Scheduled::due)).orElse(null);
      if (next == null || next.due() > end) {
        break;
      }
      later.remove(next);
      now = Math.max(now, next.due());
      next.task().run();
      runSoon();
    }
    now = end;
  }

  /** Returns the number of scheduled tasks. */
  public int scheduled() {
    return later.size();
  }
}
