package io.sluice.simulator.cluster;

import io.sluice.simulator.event.VirtualTime;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Runs tasks after a timeout. All tasks have the same timeout, so the first to be added is the
 * first to run. Removed tasks take no memory. Not safe for several threads.
 */
final class Timeouts {
  /** Timeout of point reads. */
  static final Duration POINT = Duration.ofSeconds(5);

  /** Timeout of range reads. */
  static final Duration RANGE = Duration.ofSeconds(10);

  private final VirtualTime time;
  private final long patience;
  private final Map<Runnable, Long> deadlines = new LinkedHashMap<>();
  private boolean watching;

  Timeouts(VirtualTime time, Duration patience) {
    this.time = time;
    this.patience = patience.toNanos();
  }

  /** Calls {@code task} after the timeout, unless it is removed before. */
  void add(Runnable task) {
    deadlines.put(task, time.nanoTime() + patience);
    watch();
  }

  void remove(Runnable task) {
    deadlines.remove(task);
  }

  private void watch() {
    if (!watching && !deadlines.isEmpty()) {
      watching = true;
      long next = deadlines.values().iterator().next();
      time.after(next - time.nanoTime(), this::expire);
    }
  }

  private void expire() {
    watching = false;
    while (!deadlines.isEmpty()) {
      Map.Entry<Runnable, Long> first = deadlines.entrySet().iterator().next();
      if (first.getValue() > time.nanoTime()) {
        break;
      }
      deadlines.remove(first.getKey());
      first.getKey().run();
    }
    watch();
  }
}
